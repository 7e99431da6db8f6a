package io.sluice.config;

/**
 * @param timeoutMs milliseconds a call may take
 * @param replicaLagS only where Redis has replicas and CONFIG is forbidden: the seconds without
 *     replicas after which it refuses writes (its min-replicas-max-lag); else 0
 */
public record RedisConfig(String uri, boolean cluster, int timeoutMs, int replicaLagS) {
  static final StringKey URI =
      StringKey.of(
          "redis.uri",
          "redis://127.0.0.1:6379",
          "a URI like redis://user:password@host:6379 (or rediss)",
          Patterns.REDIS_URI);
  static final String CLUSTER = "redis.cluster";
  static final boolean CLUSTER_BY_DEFAULT = false;
  static final IntKey TIMEOUT_MS = new IntKey("redis.timeout_ms", 1_000, 1, 60_000);
  static final IntKey REPLICA_LAG_S = new IntKey("redis.replica_lag_s", 0, 0, 60);

  public RedisConfig {
    URI.check(uri);
    if (cluster) {
      throw new InvalidConfigException(
          CLUSTER, CLUSTER + " must be false, was true: Redis Cluster is not available yet");
    }
    TIMEOUT_MS.check(timeoutMs);
    REPLICA_LAG_S.check(replicaLagS);
  }

  static RedisConfig read(Settings settings) {
    return new RedisConfig(
        settings.text(URI),
        settings.flag(CLUSTER, CLUSTER_BY_DEFAULT),
        settings.number(TIMEOUT_MS),
        settings.number(REPLICA_LAG_S));
  }
}
