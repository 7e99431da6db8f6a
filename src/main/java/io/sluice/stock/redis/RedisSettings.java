package io.sluice.stock.redis;

import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a Redis is fit to hold stock. It accepts writes and evicts nothing. It lets one
 * script use the keys of several buckets (a node of a cluster: those of one partition). If it has
 * replicas, it also stops writing when it is cut off from one of them, which may have been
 * promoted. A node of a cluster goes on if others are lost.
 *
 * @param replicaLag the replicas' lag from the configuration; ZERO if it is not set
 * @param ofCluster whether it must be a node of a cluster, else it must be none
 */
record RedisSettings(Duration replicaLag, boolean ofCluster) {
  static final String NOT_A_NODE =
      "Expected a node of a cluster (redis.mode is cluster), but it is a Redis of its own";

  private static final Logger log = LoggerFactory.getLogger(RedisSettings.class);
  private static final String POLICY = "maxmemory-policy";
  private static final String FULL_COVERAGE = "cluster-require-full-coverage";
  private static final String REPLICAS_MIN = "min-replicas-to-write";
  private static final String REPLICAS_LAG = "min-replicas-max-lag";
  private static final String REPLICA_SETTINGS = "min-replicas-*";

  /**
   * Fails with a message for the operator if this Redis is not fit to hold stock.
   *
   * @param isNew whether the connection is; settings that cannot be read are reported once
   */
  Future<Void> check(RedisConnection connection, boolean isNew) {
    return connection
        .send(Request.cmd(Command.INFO))
        .compose(
            reply -> {
              RedisInfo info = new RedisInfo(reply.toString());
              // A cluster node rejects a script whose keys are in several slots, but only at that
              // call.
              if (info.isNodeOfCluster() != ofCluster) {
                return unfit(
                    ofCluster
                        ? NOT_A_NODE
                        : "Expected a Redis of its own, but it is a node of a cluster");
              }
              return replicaLag(connection, info)
                  .compose(lag -> checkVersion(info))
                  .compose(fit -> expect(connection, POLICY, "noeviction", isNew))
                  .compose(
                      fit ->
                          ofCluster
                              ? expect(connection, FULL_COVERAGE, "no", isNew)
                              : Future.succeededFuture());
            });
  }

  /**
   * How long a former primary of this data may still write after its successor has taken over; ZERO
   * if there can be no successor. Fails if this Redis is not configured for its replicas, or is a
   * replica.
   */
  Future<Duration> replicaLag(RedisConnection connection) {
    return connection
        .send(Request.cmd(Command.INFO, "replication"))
        .compose(reply -> replicaLag(connection, new RedisInfo(reply.toString())));
  }

  private Future<Duration> replicaLag(RedisConnection connection, RedisInfo replication) {
    if (replication.isReplica() && ofCluster) {
      // Its map tells where the primary is; this is one that it had before.
      return Future.failedFuture(
          new StockUnavailableException("Expected a primary, but it is a replica now", null));
    }
    if (replication.isReplica()) {
      return unfit("Expected a Redis that takes writes, but it is a replica of another");
    }
    return replication.isAlone()
        ? Future.succeededFuture(Duration.ZERO)
        : settings(connection, REPLICA_SETTINGS)
            .compose(
                shown ->
                    shown.isEmpty() ? configured(replication) : shown(replication, shown.get()));
  }

  private Future<Duration> shown(RedisInfo replication, Map<String, String> settings) {
    int min = number(settings, REPLICAS_MIN);
    Duration lag = Duration.ofSeconds(number(settings, REPLICAS_LAG));
    boolean refusesInTime = min >= replication.replicas() && !lag.isZero();
    if (replication.replicas() > 0 && !refusesInTime) {
      return unfit(
          "Expected Redis with %d replicas to have %s of at least %d and %s above 0, but they are %d and %d"
              .formatted(
                  replication.replicas(),
                  REPLICAS_MIN,
                  replication.replicas(),
                  REPLICAS_LAG,
                  min,
                  lag.toSeconds()));
    }
    Duration longer = lag.compareTo(replicaLag) > 0 ? lag : replicaLag;
    return longer.isZero() ? unknownLag() : Future.succeededFuture(longer);
  }

  /**
   * Managed servers may forbid CONFIG; then the operator must make sure that the number of replicas
   * is right.
   */
  private Future<Duration> configured(RedisInfo replication) {
    if (replication.replicas() > 0 && !replication.asksForReplicas()) {
      return unfit(
          "Expected Redis with replicas to have %s of at least 1, but it is 0"
              .formatted(REPLICAS_MIN));
    }
    return replicaLag.isZero() ? unknownLag() : Future.succeededFuture(replicaLag);
  }

  private static <T> Future<T> unknownLag() {
    return unfit(
        "Expected Redis, which has or had replicas, to show %s, but it does not; set redis.replica_lag_s"
            .formatted(REPLICAS_LAG));
  }

  private static Future<Void> checkVersion(RedisInfo info) {
    return info.isAlone() || info.isAtLeast(6, 2, 7)
        ? Future.succeededFuture()
        : unfit(
            "Expected Redis with replicas to be 6.2.7 or newer, because older ones ignore "
                + REPLICAS_MIN
                + " in scripts");
  }

  private static Future<Void> expect(
      RedisConnection connection, String name, String wanted, boolean isNew) {
    return settings(connection, name)
        .compose(
            shown -> {
              if (shown.isEmpty() && isNew) {
                log.atWarn()
                    .addKeyValue("setting", name)
                    .log(
                        "Redis does not show its settings (CONFIG is forbidden); they are assumed"
                            + " to be right");
              }
              String value = shown.map(settings -> settings.get(name)).orElse(wanted);
              return value.equals(wanted)
                  ? Future.succeededFuture()
                  : unfit(
                      "Expected Redis setting %s to be %s, but it is %s"
                          .formatted(name, wanted, value));
            });
  }

  /** The settings matching this name; empty if this Redis does not show them. */
  private static Future<Optional<Map<String, String>>> settings(
      RedisConnection connection, String name) {
    return connection
        .send(Request.cmd(Command.CONFIG, "GET", name))
        .map(RedisSettings::shown)
        .recover(
            cause ->
                RedisFailures.isErrorReply(cause)
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(cause));
  }

  private static Optional<Map<String, String>> shown(Response reply) {
    Map<String, String> settings = new TreeMap<>();
    for (String name : List.of(POLICY, FULL_COVERAGE, REPLICAS_MIN, REPLICAS_LAG)) {
      if (reply.containsKey(name)) {
        settings.put(name, reply.get(name).toString());
      }
    }
    return settings.isEmpty() ? Optional.empty() : Optional.of(settings);
  }

  private static int number(Map<String, String> settings, String name) {
    return Integer.parseInt(settings.getOrDefault(name, "0"));
  }

  private static <T> Future<T> unfit(String message) {
    return Future.failedFuture(new UnfitRedisException(message));
  }
}
