package io.sluice.stock.redis;

import io.sluice.stock.StockProcess.Stamp;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;

/** Calls over one connection; those of a script that share lanes are sent together. */
final class NodeCalls implements RedisCalls {
  private final LuaRunner runner;
  private final LuaRunner.Lanes lanes;
  private final StampReader stamps;

  private NodeCalls(LuaRunner runner, LuaRunner.Lanes lanes, StockKeys nobodys) {
    this.runner = runner;
    this.lanes = lanes;
    this.stamps = new StampReader(runner::info, () -> runner.writeInVain(nobodys));
  }

  /** Of a Redis that lets one script use the keys of all partitions. */
  static NodeCalls ofAllPartitions(LuaRunner runner) {
    return new NodeCalls(runner, runner.common(), RedisPermissions.nobodysKeys(0));
  }

  /** Of one partition: a script may use the keys of one slot. */
  static NodeCalls of(int partition, LuaRunner runner) {
    return new NodeCalls(runner, runner.newLanes(), RedisPermissions.nobodysKeys(partition));
  }

  @Override
  public Future<Response> run(LuaCall call) {
    return runner.run(lanes, call);
  }

  @Override
  public Future<Response> send(Request request) {
    return runner.send(request);
  }

  @Override
  public Future<String> info() {
    return runner.info();
  }

  @Override
  public Future<Stamp> stamp() {
    return stamps.read();
  }

  @Override
  public Future<Duration> replicaLag() {
    return runner.replicaLag();
  }
}
