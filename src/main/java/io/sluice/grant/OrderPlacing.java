package io.sluice.grant;

import io.vertx.core.Future;

/** Places orders: {@link Reservations}, or what a test puts behind the public port. */
public interface OrderPlacing {
  /**
   * Places an order, of all lines of the wish or of none. The same buyer, SKUs and key always get
   * the same order. The Future never fails: an unknown outcome is answered UNAVAILABLE, and
   * repeating the request shows the outcome.
   *
   * @param entry asked of each SKU once all are known, before anything else is looked at
   */
  Future<PlacedOrder> place(OrderWish wish, SkuEntry entry);

  /** Whether new orders are refused because too many are being granted. */
  boolean isFull();
}
