package io.sluice.reservation.grant;

import io.vertx.core.Future;

/** Places orders: {@link Reservations}, or what a test puts behind the public port. */
public interface OrderPlacing {
  /** {@link Reservations#place}. */
  Future<PlacedOrder> place(OrderWish wish, SkuEntry entry);

  /** {@link Reservations#place}. */
  Future<PlacedOrder> place(CartWish wish, SkuEntry entry);

  /** Whether new orders are refused because too many are being granted. */
  boolean isFull();
}
