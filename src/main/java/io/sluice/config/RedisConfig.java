package io.sluice.config;

import io.sluice.config.value.IntKey;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.PemFile;
import io.sluice.config.value.ServerUri;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;
import io.sluice.config.value.UriParameters;
import io.vertx.core.json.JsonArray;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * @param mode standalone: the URI is that of Redis; sentinel: the URIs are those of sentinels,
 *     which know where Redis is; cluster: the URIs are those of some nodes of a cluster, which know
 *     the others
 * @param uri the short form of {@code uris} with one entry; empty for none
 * @param uris with the login, see {@link #servers}; empty: {@code uri} alone
 * @param master the name by which the sentinels know Redis; empty in other modes
 * @param timeoutMs milliseconds a call may take
 * @param replicaLagS only if Redis has replicas and CONFIG is forbidden: the seconds without
 *     replicas after which it refuses writes (its min-replicas-max-lag); else 0
 * @param caFile PEM file of the authorities that may have signed Redis' certificate; empty: those
 *     that the JVM trusts
 */
public record RedisConfig(
    String mode,
    String uri,
    List<String> uris,
    String master,
    int timeoutMs,
    int replicaLagS,
    String caFile) {
  static final StringKey MODE =
      StringKey.of(
          "redis.mode",
          "standalone",
          "standalone, sentinel or cluster",
          "standalone|sentinel|cluster");
  static final StringKey URI =
      StringKey.uri(
          "redis.uri",
          "redis://127.0.0.1:6379",
          "a URI like redis://user:password@host:6379 (or rediss), or empty for none",
          "(?:" + Patterns.REDIS_URI + ")?");

  /** One entry of the list. */
  static final StringKey URIS =
      StringKey.uri("redis.uris", "", "URIs like redis://host:26379", Patterns.REDIS_URI);

  static final StringKey MASTER =
      StringKey.of(
          "redis.master",
          "",
          "the name by which sentinels know a Redis: A-Z, a-z, 0-9 and ._-",
          "[A-Za-z0-9._-]{0,128}");
  static final IntKey TIMEOUT_MS = new IntKey("redis.timeout_ms", 1_000, 1, 60_000);
  static final IntKey REPLICA_LAG_S = new IntKey("redis.replica_lag_s", 0, 0, 60);
  static final StringKey CA_FILE = StringKey.of("redis.ca_file", "", "a file", Patterns.ANY);

  /** Sets the name of the connection, as CLIENT LIST shows it. */
  public static final String CLIENT = "client";

  /** A key of earlier releases. */
  private static final String FORMER_KEY = "redis.cluster";

  private static final String SENTINEL = "sentinel";
  private static final String CLUSTER = "cluster";

  /** The one database that a cluster has. */
  private static final Set<String> FIRST_DATABASE = Set.of("", "0");

  private static final String TLS_SCHEME = "rediss";
  private static final int URIS_MAX = 32;

  public RedisConfig {
    MODE.check(mode);
    URI.check(uri);
    uris = List.copyOf(uris);
    uris.forEach(URIS::check);
    MASTER.check(master);
    checkServers(uri, uris);
    checkMode(mode, uris, master);
    if (mode.equals(SENTINEL) && servers(uri, uris).isEmpty()) {
      throw new InvalidConfigException(
          URIS.key(), URIS.key() + " must be set where redis.mode is sentinel");
    }
    TIMEOUT_MS.check(timeoutMs);
    REPLICA_LAG_S.check(replicaLagS);
    if (!caFile.isEmpty() && !isTls(servers(uri, uris))) {
      throw new InvalidConfigException(
          CA_FILE.key(),
          CA_FILE.key() + " must be empty unless the URI of Redis begins with rediss://");
    }
  }

  /** One Redis at this URI. */
  public static RedisConfig standalone(String uri, int timeoutMs, int replicaLagS, String caFile) {
    return new RedisConfig(
        MODE.byDefault(), uri, List.of(), MASTER.byDefault(), timeoutMs, replicaLagS, caFile);
  }

  private static void checkServers(String uri, List<String> uris) {
    if (!uris.isEmpty() && !uri.isEmpty() && !uri.equals(URI.byDefault())) {
      throw new InvalidConfigException(
          URI.key(), "%s must not be set beside %s".formatted(URI.key(), URIS.key()));
    }
    String key = uris.isEmpty() ? URI.key() : URIS.key();
    List<ServerUri> servers = servers(uri, uris);
    for (ServerUri server : servers) {
      UriParameters.check(
          key, server.parameters(), Set.of(CLIENT), "rediss:// and " + CA_FILE.key());
    }
    if (servers.size() > URIS_MAX || new HashSet<>(uris).size() < uris.size()) {
      throw new InvalidConfigException(
          key, "%s must be at most %d URIs that differ".formatted(key, URIS_MAX));
    }
    if (servers.stream().map(RedisConfig::withoutHost).distinct().count() > 1) {
      throw new InvalidConfigException(
          key, key + " must have the same scheme, login, database and parameters in each URI");
    }
  }

  private static ServerUri withoutHost(ServerUri server) {
    return new ServerUri(
        server.scheme(),
        "",
        0,
        server.user(),
        server.password(),
        server.path(),
        server.parameters());
  }

  private static void checkMode(String mode, List<String> uris, String master) {
    boolean sentinel = mode.equals(SENTINEL);
    boolean cluster = mode.equals(CLUSTER);
    if (sentinel && master.isEmpty()) {
      throw new InvalidConfigException(
          MASTER.key(), MASTER.key() + " must be set where redis.mode is sentinel");
    }
    if (!sentinel && !master.isEmpty()) {
      throw new InvalidConfigException(
          MASTER.key(), MASTER.key() + " must be empty unless redis.mode is sentinel");
    }
    if (cluster && uris.isEmpty()) {
      throw new InvalidConfigException(
          URIS.key(), URIS.key() + " must be set where redis.mode is cluster");
    }
    if (cluster && !FIRST_DATABASE.contains(ServerUri.parse(uris.get(0)).path())) {
      throw new InvalidConfigException(
          URIS.key(), URIS.key() + " must not name a database: a cluster has one, 0");
    }
    if (!sentinel && !cluster && uris.size() > 1) {
      throw new InvalidConfigException(
          URIS.key(), URIS.key() + " must be one URI where redis.mode is standalone");
    }
  }

  static RedisConfig read(Settings settings) {
    settings.value(FORMER_KEY, false, RedisConfig::refuseCluster);
    return new RedisConfig(
        settings.text(MODE),
        settings.text(URI),
        settings.value(URIS.key(), List.of(), RedisConfig::list),
        settings.text(MASTER),
        settings.number(TIMEOUT_MS),
        settings.number(REPLICA_LAG_S),
        PemFile.certificates(CA_FILE.key(), settings.text(CA_FILE)));
  }

  private static boolean refuseCluster(@Nullable Object raw) {
    throw new InvalidConfigException(
        FORMER_KEY,
        "%s must be taken out: %s has taken its place".formatted(FORMER_KEY, MODE.key()));
  }

  /** Parses a YAML list, or text with commas between URIs; a login may have a comma as well. */
  private static List<String> list(@Nullable Object raw) {
    if (raw instanceof JsonArray entries) {
      return entries.stream().map(URIS::parse).toList();
    }
    if (raw instanceof String text) {
      return Stream.of(text.split(",(?=\\s*rediss?://)", -1))
          .map(String::strip)
          .filter(entry -> !entry.isEmpty())
          .map(URIS::check)
          .toList();
    }
    return List.of(URIS.parse(raw));
  }

  /** Hosts, login and database number: of Redis, its sentinels, or nodes; none if there is none. */
  public List<ServerUri> servers() {
    return servers(uri, uris);
  }

  private static List<ServerUri> servers(String uri, List<String> uris) {
    return (uris.isEmpty() ? Stream.of(uri) : uris.stream())
        .filter(entry -> !entry.isEmpty())
        .map(ServerUri::parse)
        .toList();
  }

  /** Whether there is no Redis, so that SKUs sell in the ledger alone. */
  public boolean isNone() {
    return servers().isEmpty();
  }

  /** Whether sentinels know where Redis is. */
  public boolean hasSentinels() {
    return mode.equals(SENTINEL);
  }

  /** Whether the URIs are those of nodes of a cluster. */
  public boolean isCluster() {
    return mode.equals(CLUSTER);
  }

  /** Whether the connections are encrypted, and the certificate of Redis is verified. */
  public boolean isTls() {
    return isTls(servers());
  }

  private static boolean isTls(List<ServerUri> servers) {
    return !servers.isEmpty() && servers.get(0).scheme().equals(TLS_SCHEME);
  }

  /** Without the password, since this may be logged. */
  @Override
  public String toString() {
    return "Redis at " + servers();
  }
}
