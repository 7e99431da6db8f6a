package io.sluice.reservation.grant;

import org.jspecify.annotations.Nullable;

/**
 * The wish of a buyer.
 *
 * @param requestKey the buyer's Idempotency-Key, or null: one order per buyer and SKU
 * @param reference the caller's own name for the order, or null. Not part of the key: if the order
 *     exists, it keeps the one that it has
 * @param traced whether its caller may ask, and asks, that it is traced; else its token decides
 */
public record OrderWish(
    String userId,
    long skuId,
    int qty,
    @Nullable String requestKey,
    @Nullable String reference,
    boolean traced) {

  /** A wish without a reference. */
  public OrderWish(String userId, long skuId, int qty, @Nullable String requestKey) {
    this(userId, skuId, qty, requestKey, null, false);
  }
}
