package io.sluice.order;

import io.sluice.async.BatchReader;
import io.sluice.ledger.Ledger;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** Reads orders from the ledger, many in one query, and adds them to the cache. */
final class OrderReader {
  private static final int BATCH_MAX = 500;
  private static final int WAITING_MAX = 50_000;
  private static final String ORDERS = "orders";

  private final OrderCache cache;
  private final BatchReader<String, OrderToken, Map<OrderToken, Order>> rows;

  OrderReader(Ledger ledger, OrderCache cache) {
    this.cache = cache;
    this.rows = new BatchReader<>(BATCH_MAX, WAITING_MAX, (lane, tokens) -> ledger.orders(tokens));
  }

  /** The order as committed when this is called, or later; empty if the ledger has none. */
  Future<Optional<Order>> read(OrderToken token) {
    OrderCache.HeardTerms.Until asOf = cache.asOf();
    return rows.read(ORDERS, token)
        .map(found -> Optional.ofNullable(found.get(token)))
        .onSuccess(order -> order.ifPresent(row -> cache.learn(row, asOf)));
  }
}
