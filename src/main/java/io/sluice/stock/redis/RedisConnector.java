package io.sluice.stock.redis;

import io.sluice.async.TimeLimit;
import io.sluice.config.RedisConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds Redis, and opens connections to it. Those of one instance share it, and with it what
 * sentinels answer. Thread-safe.
 */
public final class RedisConnector {
  private final RedisConfig config;
  private final RedisClients clients;
  private final Supplier<Future<RedisAddress>> where;
  private final Optional<ClusterTopology> cluster;

  /** The node of the cluster that it connects to; null: all of them. */
  private final @Nullable RedisAddress node;

  /** The id of the ledger whose stock it leads to; empty: it is not looked for another's. */
  private final String ledger;

  /**
   * Sentinels, or the nodes of a cluster, if there are any, are asked on the context that creates
   * it.
   */
  public RedisConnector(Vertx vertx, RedisConfig config) {
    this.config = config;
    this.clients = new RedisClients(vertx, config);
    List<RedisAddress> servers = config.servers().stream().map(RedisAddress::of).toList();
    this.where =
        config.hasSentinels()
            ? sentinels(vertx, config, clients)::primary
            : () -> Future.succeededFuture(servers.get(0));
    this.cluster =
        config.isCluster()
            ? Optional.of(new ClusterTopology(vertx, servers, clients))
            : Optional.empty();
    this.node = null;
    this.ledger = "";
  }

  private RedisConnector(RedisConnector all, @Nullable RedisAddress node, String ledger) {
    this.config = all.config;
    this.clients = all.clients;
    this.where = node == null ? all.where : () -> Future.succeededFuture(node);
    this.cluster = all.cluster;
    this.node = node;
    this.ledger = ledger;
  }

  /** Keys that no SKU has, and that the Redis serves to which it connects. */
  StockKeys nobodysKeys() {
    return RedisPermissions.nobodysKeys(partition());
  }

  /** How that Redis names the ledger whose stock it has. */
  RedisPermissions.Mark mark() {
    return new RedisPermissions.Mark(StockKeys.ledger(partition()), ledger);
  }

  private int partition() {
    ClusterMap map = cluster.map(ClusterTopology::map).orElse(null);
    return node == null || map == null ? 0 : map.partitionAt(node);
  }

  /** The same for one node of the cluster. */
  RedisConnector at(RedisAddress node) {
    return new RedisConnector(this, node, ledger);
  }

  /** The same for the stock of this ledger alone: a Redis that names another is not fit. */
  public RedisConnector of(String ledger) {
    return new RedisConnector(this, node, ledger);
  }

  /** The cluster that the URIs lead to; empty if Redis is none. */
  Optional<ClusterTopology> cluster() {
    return cluster;
  }

  /** Called when a Redis was lost, or answered that it does not serve a call. */
  void doubt() {
    cluster.ifPresent(ClusterTopology::doubt);
  }

  private static Sentinels sentinels(Vertx vertx, RedisConfig config, RedisClients clients) {
    List<Sentinels.Sentinel> each =
        config.servers().stream()
            .map(one -> new Sentinels.Sentinel(one, config.master(), clients))
            .toList();
    return new Sentinels(vertx, each, config.master());
  }

  int timeoutMs() {
    return config.timeoutMs();
  }

  /** The requirements on a Redis. */
  RedisSettings settings() {
    return new RedisSettings(Duration.ofSeconds(config.replicaLagS()), config.isCluster());
  }

  /**
   * Where the Redis is that takes writes; in a cluster one of its nodes. Completes on the caller's
   * context.
   */
  Future<RedisAddress> find() {
    return where.get();
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
