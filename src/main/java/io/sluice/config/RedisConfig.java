package io.sluice.config;

/**
 * Redis.
 *
 * @param timeoutMs milliseconds a call may take
 */
public record RedisConfig(String uri, boolean cluster, int timeoutMs) {
  static final Text URI =
      Text.of(
          "redis.uri",
          "redis://127.0.0.1:6379",
          "a URI like redis://user:password@host:6379 (or rediss)",
          Forms.REDIS_URI);
  static final String CLUSTER = "redis.cluster";
  static final boolean CLUSTER_BY_DEFAULT = false;
  static final WholeNumber TIMEOUT_MS = new WholeNumber("redis.timeout_ms", 1_000, 1, 60_000);

  /** Checks each value. */
  public RedisConfig {
    URI.check(uri);
    if (cluster) {
      throw new InvalidConfigException(
          CLUSTER, CLUSTER + " must be false, was true: Redis Cluster is not available yet");
    }
    TIMEOUT_MS.check(timeoutMs);
  }

  static RedisConfig read(Settings settings) {
    return new RedisConfig(
        settings.text(URI),
        settings.flag(CLUSTER, CLUSTER_BY_DEFAULT),
        settings.number(TIMEOUT_MS));
  }
}
