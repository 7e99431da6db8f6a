package io.sluice.ledger.rules;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes whole orders of what was read of their lines. */
public final class Wholes {
  private Wholes() {}

  /**
   * These orders with each lead replaced by its whole. An order of which a line is missing stays as
   * it is.
   */
  public static Map<OrderToken, Order> of(Map<OrderToken, Order> read) {
    Map<OrderToken, Order> wholes = new HashMap<>(2 * read.size());
    read.forEach((token, order) -> wholes.put(token, wholeOf(order, read)));
    return wholes;
  }

  private static Order wholeOf(Order order, Map<OrderToken, Order> read) {
    if (order.cart() == null || order.isFollower()) {
      return order;
    }
    List<OrderToken> tokens = order.lineTokens();
    return read.keySet().containsAll(tokens)
        ? Order.whole(tokens.stream().map(read::get).toList())
        : order;
  }

  /** The lines that must be read as well, to know these orders as a whole. */
  public static Set<OrderToken> missing(Map<OrderToken, Order> read) {
    Set<OrderToken> missing = new HashSet<>();
    for (Order order : read.values()) {
      if (order.cart() != null) {
        order.lineTokens().stream().filter(line -> !read.containsKey(line)).forEach(missing::add);
      }
    }
    return missing;
  }
}
