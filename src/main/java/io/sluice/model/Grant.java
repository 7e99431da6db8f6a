package io.sluice.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Units that Redis granted to a buyer. Carries everything that is known about the grant, so that
 * any process can book it.
 *
 * @param reference the caller's own name for the order, or null
 * @param cart all lines of the order that this grant is a line of; null if it is the whole order
 */
public record Grant(
    OrderToken token, String userId, Units units, @Nullable String reference, @Nullable Cart cart) {

  /**
   * The units, with their numbers and times.
   *
   * @param qty units, 1 to {@link Limits#QTY_MAX}
   * @param seq running number of units granted in this bucket and epoch; at least 1
   * @param epoch the bucket's epoch at the grant; at least 1
   * @param grantedAtMs epoch milliseconds on Redis' clock
   * @param payBeforeMs epoch milliseconds; equal to {@code grantedAtMs} if the payment window is 0
   * @param saleNo the number of the SKU's sale; 0 if it is in none
   */
  public record Units(
      int qty, long seq, long epoch, long grantedAtMs, long payBeforeMs, long saleNo) {
    /** The units of this line. */
    public static Units of(Cart.Line line, long grantedAtMs, long payBeforeMs) {
      return new Units(
          line.qty(), line.seq(), line.epoch(), grantedAtMs, payBeforeMs, line.saleNo());
    }
  }

  public int qty() {
    return units.qty();
  }

  public long seq() {
    return units.seq();
  }

  public long epoch() {
    return units.epoch();
  }

  public long grantedAtMs() {
    return units.grantedAtMs();
  }

  public long payBeforeMs() {
    return units.payBeforeMs();
  }

  public long saleNo() {
    return units.saleNo();
  }

  /** The same with another time to pay. */
  public Grant payBefore(long otherMs) {
    return otherMs == payBeforeMs()
        ? this
        : new Grant(
            token,
            userId,
            new Units(qty(), seq(), epoch(), grantedAtMs(), otherMs, saleNo()),
            reference,
            cart);
  }

  /** The same with its cart in another state. */
  Grant with(Cart other) {
    return new Grant(token, userId, units, reference, other);
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
            Units.of(line, grantedAtMs(), payBeforeMs()),
            reference,
            all);
  }

  /** The tokens of all lines of its order, the lead's first. */
  public List<OrderToken> tokens() {
    return cart == null ? List.of(token) : cart.tokens(token);
  }

  /**
   * Whether booking also confirms this order, because there is nothing to pay. A time to pay that
   * is over before the grant comes from a clock that is wrong, and says nothing of it.
   */
  public boolean confirmsOnBooking() {
    return payBeforeMs() == grantedAtMs();
  }
}
