package io.sluice.ledger.mysql;

import io.sluice.ledger.rules.Replayed;
import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a transaction has seen of orders of several SKUs.
 *
 * @param missing lines that it needs; it was undone where there are any
 * @param carts by each token of their lines
 */
record SeenCarts(Set<OrderToken> missing, Map<OrderToken, Cart> carts) {
  static final SeenCarts NONE = new SeenCarts(Set.of(), Map.of());

  static SeenCarts in(Replayed replayed) {
    Map<OrderToken, Cart> carts = new HashMap<>();
    replayed.snapshot().orders().values().forEach(order -> add(order, carts));
    replayed.changes().inserted().forEach(order -> add(order, carts));
    return carts.isEmpty() ? NONE : new SeenCarts(replayed.snapshot().missingLines(), carts);
  }

  private static void add(Order order, Map<OrderToken, Cart> carts) {
    if (order.cart() != null) {
      carts.put(order.token(), order.cart());
    }
  }
}
