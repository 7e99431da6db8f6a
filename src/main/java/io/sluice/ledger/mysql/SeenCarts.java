package io.sluice.ledger.mysql;

import io.sluice.ledger.rules.Replayed;
import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.HashMap;
import java.util.Map;

/**
 * The findings of a transaction about orders of several SKUs, and of SKUs whose buckets lack units.
 *
 * @param missing what it needs in addition to its locks; it was undone if there is any
 * @param carts by each token of their lines
 */
record SeenCarts(Reach missing, Map<OrderToken, Cart> carts) {
  static final SeenCarts NONE = new SeenCarts(Reach.NONE, Map.of());

  static SeenCarts in(Replayed replayed) {
    Map<OrderToken, Cart> carts = new HashMap<>();
    replayed.snapshot().orders().values().forEach(order -> add(order, carts));
    replayed.changes().inserted().forEach(order -> add(order, carts));
    Reach missing = Reach.missing(replayed);
    return carts.isEmpty() && missing.isNone() ? NONE : new SeenCarts(missing, carts);
  }

  private static void add(Order order, Map<OrderToken, Cart> carts) {
    if (order.cart() != null) {
      carts.put(order.token(), order.cart());
    }
  }
}
