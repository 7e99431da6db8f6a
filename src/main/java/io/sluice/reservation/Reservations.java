package io.sluice.reservation;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Places orders: grant in Redis, record in the order log, then the yes; design sections 5 and 6.
 */
public final class Reservations {

  /**
   * Places an order; the same buyer, SKU and key always get the same one. The Future never fails:
   * an unknown outcome is answered UNAVAILABLE, and the same request finds out.
   *
   * @param requestKey the buyer's Idempotency-Key, or null: one order per buyer and SKU
   */
  public Future<PlacedOrder> place(
      String userId, long skuId, int qty, @Nullable String requestKey) {
    throw new UnsupportedOperationException();
  }
}
