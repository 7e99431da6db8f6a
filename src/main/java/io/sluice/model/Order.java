package io.sluice.model;

import io.sluice.model.OrderNotes.Refund;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An order as the ledger records it, or (status RESERVED, version 0) as Redis has it before it is
 * booked: a grant, and what has become of it. Of an order of several SKUs each line has an order of
 * its own; {@link #whole} is what callers see of them.
 *
 * @param grant its time to pay is that of the order, also after an extension. If this is a whole,
 *     its cart has what was refunded of each line
 * @param archived whether it is in the archive, in which only payments are still recorded of it
 */
public record Order(Grant grant, Life life, boolean archived) {

  /**
   * What has become of a grant.
   *
   * @param version rises by one with each change of status and each note; events carry it, and
   *     listeners ignore lower ones
   * @param latePaidAtMs when the first late payment came, epoch milliseconds; 0 if none
   * @param notes recorded of it besides its status
   */
  public record Life(
      OrderStatus status,
      @Nullable Reason reason,
      long version,
      long latePaidAtMs,
      long updatedAtMs,
      OrderNotes notes) {

    /** From the booking or the write-off on. */
    public static Life first(OrderStatus status, @Nullable Reason reason, long atMs) {
      return new Life(status, reason, 1, 0, atMs, OrderNotes.NONE);
    }
  }

  public static Order reserved(Grant grant) {
    return new Order(
        grant,
        new Life(OrderStatus.RESERVED, null, 0, 0, grant.grantedAtMs(), OrderNotes.NONE),
        false);
  }

  public OrderToken token() {
    return grant.token();
  }

  public String userId() {
    return grant.userId();
  }

  public int qty() {
    return grant.qty();
  }

  public long seq() {
    return grant.seq();
  }

  public long epoch() {
    return grant.epoch();
  }

  public OrderStatus status() {
    return life.status();
  }

  public @Nullable Reason reason() {
    return life.reason();
  }

  public long version() {
    return life.version();
  }

  public long payBeforeMs() {
    return grant.payBeforeMs();
  }

  public long latePaidAtMs() {
    return life.latePaidAtMs();
  }

  public long createdAtMs() {
    return grant.grantedAtMs();
  }

  public long updatedAtMs() {
    return life.updatedAtMs();
  }

  public long saleNo() {
    return grant.saleNo();
  }

  public @Nullable String reference() {
    return grant.reference();
  }

  public OrderNotes notes() {
    return life.notes();
  }

  public @Nullable Cart cart() {
    return grant.cart();
  }

  /** Its units, those of all its lines. */
  public int units() {
    Cart cart = cart();
    return cart == null ? qty() : cart.lines().stream().mapToInt(Cart.Line::qty).sum();
  }

  /** This order after one more status change. */
  public Order changed(OrderStatus newStatus, @Nullable Reason newReason, long atMs) {
    return next(newStatus, newReason, latePaidAtMs(), atMs, notes());
  }

  /**
   * This order after its first late payment.
   *
   * @param paymentRef which payment that was, or null
   */
  public Order paidLate(@Nullable String paymentRef, long atMs) {
    return next(status(), reason(), atMs, atMs, notes().withPayment(paymentRef));
  }

  /**
   * This order after its payment.
   *
   * @param paymentRef which payment that was, or null
   */
  public Order paid(@Nullable String paymentRef, long atMs) {
    OrderNotes noted = notes().withPayment(paymentRef);
    return next(OrderStatus.CONFIRMED, null, latePaidAtMs(), atMs, noted);
  }

  /** This order once these units of it are paid back; REFUNDED once all are. */
  public Order refunded(int units, OrderNotes noted, long atMs) {
    OrderNotes after = noted.withRefunded(units);
    OrderStatus then = after.refundedQty() == qty() ? OrderStatus.REFUNDED : OrderStatus.CONFIRMED;
    return next(then, null, latePaidAtMs(), atMs, after);
  }

  /** This order with one more note. */
  public Order noted(OrderNotes noted, long atMs) {
    return next(status(), reason(), latePaidAtMs(), atMs, noted.counted());
  }

  /** This order with more time to pay, which is one more note. */
  public Order extended(long payBeforeMs, long atMs) {
    Order noted = noted(notes().withExtension(), atMs);
    return new Order(grant.payBefore(payBeforeMs), noted.life, archived);
  }

  /** This order in the archive. */
  public Order inArchive() {
    return new Order(grant, life, true);
  }

  private Order next(
      OrderStatus status, @Nullable Reason reason, long latePaidAtMs, long atMs, OrderNotes notes) {
    Life after = new Life(status, reason, version() + 1, latePaidAtMs, atMs, notes);
    return new Order(grant, after, archived);
  }

  /** The units of a live order that are not paid back. */
  public int unitsLeft() {
    return status().isLive() ? qty() - notes().refundedQty() : 0;
  }

  /** Whether the refund of so many units fits together with those that are requested. */
  public boolean hasRoomToRefund(int units) {
    return notes().requestedQty() + units <= unitsLeft()
        && notes().refunds().size() < OrderNotes.REFUNDS_MAX;
  }

  // ---- orders of several SKUs

  /** Whether it is only a line of an order, and not that whose token is the order's. */
  public boolean isFollower() {
    Cart cart = cart();
    return cart != null && !cart.lead().bucket().equals(token().bucketId());
  }

  /** The tokens of all lines of its order, the lead's first. */
  public List<OrderToken> lineTokens() {
    return grant.tokens();
  }

  /**
   * The order of which these are all the lines, as callers see it: confirmed while any of its lines
   * is. Its version rises with that of each line.
   *
   * @param lines the orders of all its lines, the lead's first; one alone if it has one SKU
   */
  public static Order whole(List<Order> lines) {
    Order lead = lines.get(0);
    Cart cart = lead.cart();
    if (cart == null) {
      return lead;
    }
    if (lines.size() != cart.lines().size()) {
      throw new IllegalArgumentException("Expected all lines of an order, but got " + lines);
    }
    Order shown =
        lines.stream()
            .filter(line -> line.status() == OrderStatus.CONFIRMED)
            .findFirst()
            .orElse(lead);
    Life life =
        new Life(
            shown.status(),
            shown.reason(),
            lines.stream().mapToLong(Order::version).sum(),
            lead.latePaidAtMs(),
            lines.stream().mapToLong(Order::updatedAtMs).max().orElse(lead.updatedAtMs()),
            notesOf(lines));
    Cart refunded = cart.refunded(lines.stream().map(line -> line.notes().refundedQty()).toList());
    return new Order(lead.grant.with(refunded), life, lines.stream().anyMatch(Order::archived));
  }

  /** The notes of the lead, with those of the refunds of all lines. */
  private static OrderNotes notesOf(List<Order> lines) {
    Map<String, Refund> refunds = new HashMap<>();
    int refundedQty = 0;
    int withdrawnQty = 0;
    for (Order line : lines) {
      long skuId = line.token().skuId();
      line.notes().refunds().forEach((id, refund) -> refunds.put(id, refund.of(skuId)));
      refundedQty += line.notes().refundedQty();
      withdrawnQty += line.notes().withdrawnQty();
    }
    OrderNotes told = lines.get(0).notes();
    return new OrderNotes(
        told.count(),
        told.extended(),
        told.paymentRef(),
        told.payments(),
        refunds,
        refundedQty,
        withdrawnQty);
  }

  /**
   * Whether nothing is under way that is told under the token of the order later: no payment, no
   * end of a refund. In the archive no refund ends any more.
   *
   * @param lines the orders of all its lines
   */
  public static boolean haveEnded(List<Order> lines) {
    boolean archived = lines.stream().anyMatch(Order::archived);
    return lines.stream()
        .noneMatch(
            line ->
                line.status() == OrderStatus.PENDING
                    || (!archived && line.notes().requestedQty() > 0));
  }

  /**
   * Whether the refund of so many units of a line fits together with those that are requested.
   *
   * @param skuId of the line of this whole; 0 if it has one SKU
   */
  public boolean hasRoomToRefund(int units, long skuId) {
    Cart cart = cart();
    if (cart == null) {
      return hasRoomToRefund(units);
    }
    Cart.Line line = cart.lineOf(skuId);
    return line != null
        && status().isLive()
        && notes().requestedQty(skuId) + units <= line.qty() - line.refundedQty()
        && notes().refunds().size() < OrderNotes.REFUNDS_MAX;
  }
}
