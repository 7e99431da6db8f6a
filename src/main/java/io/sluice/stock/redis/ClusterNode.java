package io.sluice.stock.redis;

import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;

/** One event loop's connection to a primary of a cluster. */
final class ClusterNode {
  private final RedisAddress address;
  private final LuaRunner runner;
  private final Map<Integer, RedisCalls> byPartition = new HashMap<>();
  private Future<Void> started = Future.succeededFuture();

  ClusterNode(Vertx vertx, RedisConnector all, RedisAddress address, Meters meters) {
    this.address = address;
    this.runner = new LuaRunner(vertx, all.at(address), meters);
  }

  /** Connects; once. */
  void start() {
    started = runner.start();
  }

  /** The end of the first attempt to connect. */
  Future<Void> started() {
    return started;
  }

  RedisAddress address() {
    return address;
  }

  LuaRunner runner() {
    return runner;
  }

  /** The calls of one partition: one script takes the keys of one slot. */
  RedisCalls of(int partition) {
    return byPartition.computeIfAbsent(partition, each -> NodeCalls.of(each, runner));
  }
}
