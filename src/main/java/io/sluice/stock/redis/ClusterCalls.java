package io.sluice.stock.redis;

import io.sluice.stock.StockProcess.Stamp;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls to the primary that has a partition's slot by the map of now. Redirects are not
 * followed: such a call fails, and the next goes by the next map.
 */
final class ClusterCalls implements RedisCalls {
  private static final StockUnavailableException NOBODY =
      new StockUnavailableException("No known primary of the cluster has this partition", null);

  private final Supplier<@Nullable RedisCalls> primary;

  /**
   * @param primary the calls to it; null if no primary has the slot
   */
  ClusterCalls(Supplier<@Nullable RedisCalls> primary) {
    this.primary = primary;
  }

  @Override
  public Future<Response> run(LuaCall call) {
    return ask(calls -> calls.run(call));
  }

  @Override
  public Future<Response> send(Request request) {
    return ask(calls -> calls.send(request));
  }

  @Override
  public Future<String> info() {
    return ask(RedisCalls::info);
  }

  @Override
  public Future<Stamp> stamp() {
    return ask(RedisCalls::stamp);
  }

  @Override
  public Future<Duration> replicaLag() {
    return ask(RedisCalls::replicaLag);
  }

  private <T> Future<T> ask(Function<RedisCalls, Future<T>> question) {
    RedisCalls now = primary.get();
    return now == null ? Future.failedFuture(NOBODY) : question.apply(now);
  }
}
