package io.sluice.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order as the ledger records it, or (status RESERVED, version 0) as Redis has it before it is
 * booked. Of an order of several SKUs each line has an order of its own; {@link WholeOrder} is what
 * callers see of them.
 *
 * @param version rises by one with each change of status and each note; events carry it, and
 *     listeners ignore lower ones
 * @param latePaidAtMs when the first late payment came, epoch milliseconds; 0 if none
 * @param saleNo the number of the SKU's sale; 0 if it is in none
 * @param reference the caller's own name for it, or null
 * @param notes recorded of it besides its status
 * @param archived whether it is in the archive, in which only payments are still recorded of it
 * @param cart all lines of the order that it is a line of, or, if it is a whole, those that it has;
 *     null if it is of one SKU
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
    @Nullable String reference,
    OrderNotes notes,
    boolean archived,
    @Nullable Cart cart) {

  /** An order of one SKU. */
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
      long updatedAtMs,
      long saleNo,
      @Nullable String reference,
      OrderNotes notes,
      boolean archived) {
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
        saleNo,
        reference,
        notes,
        archived,
        null);
  }

  /** An order of which nothing was recorded besides its status. */
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
      long updatedAtMs,
      long saleNo,
      @Nullable String reference) {
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
        saleNo,
        reference,
        OrderNotes.NONE,
        false);
  }

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
        grant.reference(),
        OrderNotes.NONE,
        false,
        grant.cart());
  }

  /** This order after one more status change. */
  public Order changed(OrderStatus newStatus, @Nullable Reason newReason, long atMs) {
    return next(newStatus, newReason, payBeforeMs, latePaidAtMs, atMs, notes);
  }

  /**
   * This order after its first late payment.
   *
   * @param paymentRef which payment that was, or null
   */
  public Order paidLate(@Nullable String paymentRef, long atMs) {
    return next(status, reason, payBeforeMs, atMs, atMs, notes.withPayment(paymentRef));
  }

  /**
   * This order after its payment.
   *
   * @param paymentRef which payment that was, or null
   */
  public Order paid(@Nullable String paymentRef, long atMs) {
    return next(
        OrderStatus.CONFIRMED,
        null,
        payBeforeMs,
        latePaidAtMs,
        atMs,
        notes.withPayment(paymentRef));
  }

  /** This order once these units of it are paid back; REFUNDED once all are. */
  public Order refunded(int units, OrderNotes noted, long atMs) {
    OrderNotes after = noted.withRefunded(units);
    OrderStatus then = after.refundedQty() == qty ? OrderStatus.REFUNDED : OrderStatus.CONFIRMED;
    return next(then, null, payBeforeMs, latePaidAtMs, atMs, after);
  }

  /** This order with one more note. */
  public Order noted(OrderNotes noted, long atMs) {
    return next(status, reason, payBeforeMs, latePaidAtMs, atMs, noted.counted());
  }

  /** This order with more time to pay, which is one more note. */
  public Order extended(long newPayBeforeMs, long atMs) {
    OrderNotes noted = notes.withExtension().counted();
    return next(status, reason, newPayBeforeMs, latePaidAtMs, atMs, noted);
  }

  /** This order in the archive. */
  public Order inArchive() {
    return new Order(
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
        saleNo,
        reference,
        notes,
        true,
        cart);
  }

  /** The units of a live order that are not paid back. */
  public int unitsLeft() {
    return status.isLive() ? qty - notes.refundedQty() : 0;
  }

  /** Whether the refund of so many units fits together with those that are requested. */
  public boolean hasRoomToRefund(int units) {
    return notes.requestedQty() + units <= unitsLeft()
        && notes.refunds().size() < OrderNotes.REFUNDS_MAX;
  }

  private Order next(
      OrderStatus newStatus,
      @Nullable Reason newReason,
      long newPayBeforeMs,
      long newLatePaidAtMs,
      long atMs,
      OrderNotes newNotes) {
    return new Order(
        token,
        userId,
        qty,
        seq,
        epoch,
        newStatus,
        newReason,
        version + 1,
        newPayBeforeMs,
        newLatePaidAtMs,
        createdAtMs,
        atMs,
        saleNo,
        reference,
        newNotes,
        archived,
        cart);
  }

  // ---- orders of several SKUs

  /** Whether it is only a line of an order, and not that whose token is the order's. */
  public boolean isFollower() {
    return cart != null && !cart.lead().bucket().equals(token.bucketId());
  }

  /** The tokens of all lines of its order, the lead's first. */
  public List<OrderToken> lineTokens() {
    return cart == null ? List.of(token) : cart.tokens(token);
  }
}
