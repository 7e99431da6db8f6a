package io.sluice.order;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The booked orders of a buyer, for himself. */
public interface OwnOrders {
  /**
   * The maximum of orders in a page, and of the newest ones among which open ones are looked for.
   */
  int PAGE_MAX = 100;

  /**
   * Orders of a buyer.
   *
   * @param next where the next page begins; empty at the end
   */
  record OwnPage(List<Order> orders, Optional<String> next) {}

  /**
   * A page of his orders, the newest first. The first page begins with those that wait for their
   * payment, which are on no other.
   *
   * @param after the next of a page; null for the first one
   * @param limit 1 to {@link #PAGE_MAX}
   * @return empty if {@code after} is no next of a page; fails if they cannot be read now
   */
  Future<Optional<OwnPage>> page(String userId, @Nullable String after, int limit);

  /**
   * His orders that wait for their payment and have this SKU, the newest first; at most {@link
   * #NAMED_MAX}. Empty as well if it takes longer than a moment, or too many ask.
   */
  Future<List<OrderToken>> open(String userId, long skuId);

  int NAMED_MAX = 10;
}
