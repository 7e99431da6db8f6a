package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.PemFile;
import io.sluice.config.value.ServerUri;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;
import io.sluice.config.value.UriParameters;
import java.util.Set;

/**
 * @param uri with the login, see {@link #server}
 * @param timeoutMs milliseconds a call may take
 * @param replicaLagS only where Redis has replicas and CONFIG is forbidden: the seconds without
 *     replicas after which it refuses writes (its min-replicas-max-lag); else 0
 * @param caFile PEM file of the authorities that may have signed Redis' certificate; empty: those
 *     that the JVM trusts
 */
public record RedisConfig(
    String uri, boolean cluster, int timeoutMs, int replicaLagS, String caFile) {
  static final StringKey URI =
      StringKey.uri(
          "redis.uri",
          "redis://127.0.0.1:6379",
          "a URI like redis://user:password@host:6379 (or rediss)",
          Patterns.REDIS_URI);
  static final String CLUSTER = "redis.cluster";
  static final boolean CLUSTER_BY_DEFAULT = false;
  static final IntKey TIMEOUT_MS = new IntKey("redis.timeout_ms", 1_000, 1, 60_000);
  static final IntKey REPLICA_LAG_S = new IntKey("redis.replica_lag_s", 0, 0, 60);
  static final StringKey CA_FILE = StringKey.of("redis.ca_file", "", "a file", Patterns.ANY);

  /** Sets the name of the connection, as CLIENT LIST shows it. */
  public static final String CLIENT = "client";

  private static final String TLS_SCHEME = "rediss";

  public RedisConfig {
    URI.check(uri);
    UriParameters.check(
        URI.key(),
        ServerUri.parse(uri).parameters(),
        Set.of(CLIENT),
        "rediss:// and " + CA_FILE.key());
    if (cluster) {
      throw new InvalidConfigException(
          CLUSTER, CLUSTER + " must be false, was true: Redis Cluster is not available yet");
    }
    TIMEOUT_MS.check(timeoutMs);
    REPLICA_LAG_S.check(replicaLagS);
    if (!caFile.isEmpty() && !ServerUri.parse(uri).scheme().equals(TLS_SCHEME)) {
      throw new InvalidConfigException(
          CA_FILE.key(), CA_FILE.key() + " must be empty unless redis.uri begins with rediss://");
    }
  }

  static RedisConfig read(Settings settings) {
    return new RedisConfig(
        settings.text(URI),
        settings.flag(CLUSTER, CLUSTER_BY_DEFAULT),
        settings.number(TIMEOUT_MS),
        settings.number(REPLICA_LAG_S),
        PemFile.certificates(CA_FILE.key(), settings.text(CA_FILE)));
  }

  /** Host, login and database number. */
  public ServerUri server() {
    return ServerUri.parse(uri);
  }

  /** Whether the connections are encrypted, and the certificate of Redis is verified. */
  public boolean isTls() {
    return server().scheme().equals(TLS_SCHEME);
  }

  /** Without the password, since this may be logged. */
  @Override
  public String toString() {
    return "Redis at " + server();
  }
}
