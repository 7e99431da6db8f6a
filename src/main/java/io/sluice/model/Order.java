package io.sluice.model;

import org.jspecify.annotations.Nullable;

/**
 * An order as the ledger records it, or (status RESERVED, version 0) as Redis does before it is
 * booked.
 *
 * @param version rises by one with each change of status; events carry it, a listener ignores lower
 *     ones
 * @param latePaidAtMs when a payment came too late, epoch milliseconds; 0 where none did
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
    long updatedAtMs) {

  /** The order of a grant that is not in the ledger yet. */
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
        grant.grantedAtMs());
  }

  /** This order after one more change of status. */
  public Order changed(OrderStatus newStatus, @Nullable Reason newReason, long atMs) {
    return next(newStatus, newReason, latePaidAtMs, atMs);
  }

  /** This order after a payment that came too late was seen for the first time. */
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
        atMs);
  }
}
