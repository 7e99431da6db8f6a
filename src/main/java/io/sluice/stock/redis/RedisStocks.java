package io.sluice.stock.redis;

import io.sluice.metrics.Meters;
import io.sluice.stock.StockConnection;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** The stock in Redis, in one or in a cluster, as the configuration says. */
public final class RedisStocks {
  private RedisStocks() {}

  /** A connection of its own, not started yet. */
  public static StockConnection open(Vertx vertx, RedisConnector connector, Meters meters) {
    return connector.cluster().isPresent()
        ? new ClusterStock(vertx, connector, meters)
        : new RedisStock(vertx, connector, meters);
  }

  /**
   * Connects once, and fails with a message for the operator if Redis cannot be reached, or is not
   * as it must be.
   */
  public static Future<Void> probe(RedisConnector connector) {
    return connector.cluster().isPresent()
        ? ClusterStock.probe(connector)
        : RedisStock.probe(connector);
  }
}
