package io.sluice.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Units that Redis granted to a buyer. Carries everything that is known about the grant, so that
 * any process can book it.
 *
 * @param qty units, 1 to {@link Limits#QTY_MAX}
 * @param seq running number of units granted in this bucket and epoch; at least 1
 * @param epoch the bucket's epoch at the grant; at least 1
 * @param grantedAtMs epoch milliseconds on Redis' clock
 * @param payBeforeMs epoch milliseconds; equal to {@code grantedAtMs} if the payment window is 0
 * @param saleNo the number of the SKU's sale; 0 if it is in none
 * @param reference the caller's own name for the order, or null
 * @param cart all lines of the order that this grant is a line of; null if it is the whole order
 */
public record Grant(
    OrderToken token,
    String userId,
    int qty,
    long seq,
    long epoch,
    long grantedAtMs,
    long payBeforeMs,
    long saleNo,
    @Nullable String reference,
    @Nullable Cart cart) {

  /** A grant that is a whole order. */
  public Grant(
      OrderToken token,
      String userId,
      int qty,
      long seq,
      long epoch,
      long grantedAtMs,
      long payBeforeMs,
      long saleNo,
      @Nullable String reference) {
    this(token, userId, qty, seq, epoch, grantedAtMs, payBeforeMs, saleNo, reference, null);
  }

  /** A grant outside of a sale, without a reference. */
  public Grant(
      OrderToken token,
      String userId,
      int qty,
      long seq,
      long epoch,
      long grantedAtMs,
      long payBeforeMs) {
    this(token, userId, qty, seq, epoch, grantedAtMs, payBeforeMs, 0, null);
  }

  /**
   * The grant of the lead of a cart.
   *
   * @param token of the lead
   */
  public static Grant ofLead(
      Cart cart,
      OrderToken token,
      String userId,
      long grantedAtMs,
      long payBeforeMs,
      @Nullable String reference) {
    Cart.Line first = cart.lead();
    return new Grant(
        token,
        userId,
        first.qty(),
        first.seq(),
        first.epoch(),
        grantedAtMs,
        payBeforeMs,
        first.saleNo(),
        reference,
        cart);
  }

  /** The grants of all lines of its order, the lead's first. */
  public List<Grant> lines() {
    Cart all = cart;
    return all == null ? List.of(this) : all.lines().stream().map(line -> of(line, all)).toList();
  }

  /** The grant of the line whose token is the order's. */
  public Grant lead() {
    return cart == null ? this : of(cart.lead(), cart);
  }

  private Grant of(Cart.Line line, Cart all) {
    return line.bucket().equals(token.bucketId())
        ? this
        : new Grant(
            token.in(line.bucket()),
            userId,
            line.qty(),
            line.seq(),
            line.epoch(),
            grantedAtMs,
            payBeforeMs,
            line.saleNo(),
            reference,
            all);
  }

  /** The tokens of all lines of its order, the lead's first. */
  public List<OrderToken> tokens() {
    return cart == null ? List.of(token) : cart.tokens(token);
  }

  /** Whether booking also confirms this order, because there is nothing to pay. */
  public boolean confirmsOnBooking() {
    return payBeforeMs <= grantedAtMs;
  }
}
