package io.sluice.model;

import org.jspecify.annotations.Nullable;

/**
 * Units that Redis granted to a buyer. Carries everything that is known about the grant, so that
 * any process can book it.
 *
 * @param qty units, 1 to {@link Limits#QTY_MAX}
 * @param seq running number of units granted in this bucket and epoch; at least 1
 * @param epoch the bucket's epoch at the grant; at least 1
 * @param grantedAtMs epoch milliseconds on Redis' clock
 * @param payBeforeMs epoch milliseconds; equal to {@code grantedAtMs} where the payment window is 0
 * @param saleNo the number of the SKU's sale; 0 where it is in none
 * @param reference the caller's own name for the order, or null
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
    @Nullable String reference) {

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

  /** Whether booking also confirms this order, because there is nothing to pay. */
  public boolean confirmsOnBooking() {
    return payBeforeMs <= grantedAtMs;
  }
}
