package io.sluice.stock.redis;

import io.sluice.async.TimeLimit;
import io.sluice.config.RedisConfig;
import io.sluice.config.value.ServerUri;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds Redis, and opens connections to it. Those of one instance share it, and with it what
 * sentinels answer. Thread-safe.
 */
public final class RedisConnector {
  private final RedisConfig config;
  private final ServerUri server;
  private final RedisClients clients;
  private final Optional<Sentinels> sentinels;

  /** Sentinels, if there are any, are asked on the context that creates it. */
  public RedisConnector(Vertx vertx, RedisConfig config) {
    this.config = config;
    this.server = config.servers().get(0);
    this.clients = new RedisClients(vertx, config);
    this.sentinels =
        config.hasSentinels() ? Optional.of(sentinels(vertx, config, clients)) : Optional.empty();
  }

  private static Sentinels sentinels(Vertx vertx, RedisConfig config, RedisClients clients) {
    List<Sentinel> each =
        config.servers().stream().map(one -> new Sentinel(one, config.master(), clients)).toList();
    return new Sentinels(vertx, each, config.master());
  }

  int timeoutMs() {
    return config.timeoutMs();
  }

  /** See {@link RedisConfig#replicaLagS}. */
  Duration replicaLag() {
    return Duration.ofSeconds(config.replicaLagS());
  }

  /** Where the Redis is that takes writes; completes on the caller's context. */
  Future<RedisAddress> find() {
    return sentinels
        .map(Sentinels::primary)
        .orElseGet(() -> Future.succeededFuture(RedisAddress.of(server)));
  }

  /** See {@link RedisClients#client}. */
  Redis client(RedisAddress address) {
    return clients.client(address);
  }

  /** Connects, converses, and closes the connection whatever the outcome. */
  <T> Future<T> once(Function<RedisConnection, Future<T>> conversation) {
    return find().compose(address -> once(client(address), conversation));
  }

  private <T> Future<T> once(Redis client, Function<RedisConnection, Future<T>> conversation) {
    Future<T> outcome =
        client
            .connect()
            .compose(
                connection -> {
                  connection.exceptionHandler(broken -> {});
                  return conversation.apply(connection);
                });
    return TimeLimit.of(2L * config.timeoutMs(), outcome).eventually(client::close);
  }
}
