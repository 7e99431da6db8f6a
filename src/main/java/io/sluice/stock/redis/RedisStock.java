package io.sluice.stock.redis;

import io.sluice.metrics.Meters;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The stock in Redis, over one connection, which all partitions share.
 *
 * <p>Called on the context that called {@link #start}, except {@link #isUp}. A failed Future has a
 * {@link StockUnavailableException}, or an IllegalArgumentException if the caller exceeded a limit.
 */
public final class RedisStock implements StockConnection {
  private final RedisNode node;
  private final Map<Integer, StockStore> stores = new ConcurrentHashMap<>();

  /** Of the owner that has this connection. A term is that of one owner. */
  private final AtomicLong freezes = new AtomicLong();

  public RedisStock(Vertx vertx, RedisConnector connector, Meters meters) {
    this.node = new RedisNode(vertx, connector, meters);
  }

  /** A connection of its own to one Redis or to a cluster, as is configured; not started yet. */
  public static StockConnection open(Vertx vertx, RedisConnector connector, Meters meters) {
    return connector.cluster().isPresent()
        ? new ClusterStock(vertx, connector, meters)
        : new RedisStock(vertx, connector, meters);
  }

  @Override
  public StockStore at(int partition) {
    return stores.computeIfAbsent(
        partition, first -> new RedisStockStore(() -> node.of(partition), freezes, partition));
  }

  @Override
  public Future<Void> start() {
    return node.start();
  }

  @Override
  public Future<Void> close() {
    return node.close();
  }

  @Override
  public Future<Memory> memory() {
    return node.info().map(RedisInfo::memory);
  }

  @Override
  public boolean isUp() {
    return node.isUp();
  }

  @Override
  public String outage() {
    return node.outage();
  }

  /**
   * Connects once. Fails with a message for the operator if Redis cannot be reached, refuses the
   * login, forbids what the scripts do, evicts keys, is a replica, has replicas that may lag, or
   * has the stock of another ledger.
   */
  public static Future<Void> probe(RedisConnector connector) {
    return connector.cluster().isPresent()
        ? ClusterStock.probe(connector)
        : RedisNode.probe(connector);
  }
}
