package io.sluice.stock.redis;

import io.sluice.stock.StockProcess.Stamp;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;

/** The calls to the Redis that has a partition now. */
interface RedisCalls {
  /** See {@link LuaRunner#run(LuaCall)}. */
  Future<Response> run(LuaCall call);

  /** Sends a command whose keys, if it has any, are those of the partition. */
  Future<Response> send(Request request);

  /** The whole of INFO. */
  Future<String> info();

  /** See {@link io.sluice.stock.StockProcess#stamp}. */
  Future<Stamp> stamp();

  /** See {@link RedisSettings#replicaLag(io.vertx.redis.client.RedisConnection)}. */
  Future<Duration> replicaLag();
}
