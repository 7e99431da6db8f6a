package io.sluice.client;

import java.util.List;
import java.util.Optional;

/**
 * A page of a buyer's own orders.
 *
 * @param orders on the first page those that wait for their payment, then the newest first
 * @param next the {@code after} of the next page; none if this is the last one
 */
public record OrderPage(List<Order> orders, Optional<String> next) {
  /** The orders are copied. */
  public OrderPage {
    orders = List.copyOf(orders);
  }

  static OrderPage of(JsonObject json) {
    return new OrderPage(
        json.objects("orders").stream().map(Order::of).toList(), json.textIfThere("next"));
  }
}
