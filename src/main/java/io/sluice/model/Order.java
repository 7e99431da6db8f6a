package io.sluice.model;

import org.jspecify.annotations.Nullable;

/**
 * An order as the ledger records it, or (status RESERVED, version 0) as Redis has it before it is
 * booked.
 *
 * @param version rises by one with each change of status; events carry it, and listeners ignore
 *     lower ones
 * @param latePaidAtMs when the first late payment came, epoch milliseconds; 0 if none
 * @param saleNo the number of the SKU's sale; 0 where it is in none
 * @param reference the caller's own name for it, or null
 */
public record Order(
    OrderToken token,
    String userId,
    int qty,
    long seq,
    long epoch,
    OrderStatus status,
    @Nullable Reason reason,
    long version,
    long payBeforeMs,
    long latePaidAtMs,
    long createdAtMs,
    long updatedAtMs,
    long saleNo,
    @Nullable String reference) {

  /** An order outside of a sale, without a reference. */
  public Order(
      OrderToken token,
      String userId,
      int qty,
      long seq,
      long epoch,
      OrderStatus status,
      @Nullable Reason reason,
      long version,
      long payBeforeMs,
      long latePaidAtMs,
      long createdAtMs,
      long updatedAtMs) {
    this(
        token,
        userId,
        qty,
        seq,
        epoch,
        status,
        reason,
        version,
        payBeforeMs,
        latePaidAtMs,
        createdAtMs,
        updatedAtMs,
        0,
        null);
  }

  public static Order reserved(Grant grant) {
    return new Order(
        grant.token(),
        grant.userId(),
        grant.qty(),
        grant.seq(),
        grant.epoch(),
        OrderStatus.RESERVED,
        null,
        0,
        grant.payBeforeMs(),
        0,
        grant.grantedAtMs(),
        grant.grantedAtMs(),
        grant.saleNo(),
        grant.reference());
  }

  /** This order after one more status change. */
  public Order changed(OrderStatus newStatus, @Nullable Reason newReason, long atMs) {
    return next(newStatus, newReason, latePaidAtMs, atMs);
  }

  /** This order after its first late payment. */
  public Order paidLate(long atMs) {
    return next(status, reason, atMs, atMs);
  }

  private Order next(
      OrderStatus newStatus, @Nullable Reason newReason, long newLatePaidAtMs, long atMs) {
    return new Order(
        token,
        userId,
        qty,
        seq,
        epoch,
        newStatus,
        newReason,
        version + 1,
        payBeforeMs,
        newLatePaidAtMs,
        createdAtMs,
        atMs,
        saleNo,
        reference);
  }
}
