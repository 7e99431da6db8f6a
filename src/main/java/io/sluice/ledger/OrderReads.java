package io.sluice.ledger;

import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Reads of orders, and the clock that their deadlines are compared with. Part of {@link Ledger}.
 */
public interface OrderReads {

  /** The database's clock, epoch milliseconds. */
  Future<Long> nowMs();

  /** {@link Instances#longest}. */
  Future<InstanceSettings> longestSettings();

  /** PENDING orders of this partition whose pay_before is at most {@code dueMs}, oldest first. */
  Future<List<OrderToken>> due(int partition, long dueMs, int limit);

  /** The maximum number of orders in one call. */
  int ORDERS_MAX = 1_000;

  /**
   * The current committed state of these orders, at most {@link #ORDERS_MAX}. Unknown tokens are
   * left out.
   */
  Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens);
}
