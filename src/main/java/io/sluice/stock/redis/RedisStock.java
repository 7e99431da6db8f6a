package io.sluice.stock.redis;

import io.sluice.metrics.Meters;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The stock in Redis, over one connection, which all partitions share.
 *
 * <p>Called on the context that called {@link #start}, except {@link #isUp}. A failed Future has a
 * {@link StockUnavailableException}, or an IllegalArgumentException if the caller exceeded a limit.
 */
public final class RedisStock implements StockConnection {
  private final LuaRunner runner;
  private final RedisCalls calls;

  /** Of the owner that has this connection. A term is that of one owner. */
  private final AtomicLong freezes = new AtomicLong();

  public RedisStock(Vertx vertx, RedisConnector connector, Meters meters) {
    this.runner = new LuaRunner(vertx, connector, meters);
    this.calls = NodeCalls.ofAllPartitions(runner);
  }

  @Override
  public StockStore at(int partition) {
    return new RedisStockStore(calls, freezes, partition);
  }

  @Override
  public Future<Void> start() {
    return runner.start();
  }

  @Override
  public Future<Void> close() {
    return runner.close();
  }

  @Override
  public Future<Memory> memory() {
    return runner.info().map(MemoryUse::in);
  }

  @Override
  public boolean isUp() {
    return runner.isUp();
  }

  @Override
  public String outage() {
    return runner.outage();
  }

  /**
   * Connects once. Fails with a message for the operator if Redis cannot be reached, refuses the
   * login, forbids what the scripts do, evicts keys, is a replica, has replicas that may lag, or
   * has the stock of another ledger.
   */
  public static Future<Void> probe(RedisConnector connector) {
    return LuaRunner.probe(connector);
  }
}
