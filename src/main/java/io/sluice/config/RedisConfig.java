package io.sluice.config;

import static io.sluice.config.InvalidConfigException.require;

import io.sluice.config.Key.Patterns;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
    @Key(
            value = STANDALONE,
            form = "standalone|sentinel|cluster",
            expected = "standalone, sentinel or cluster")
        String mode,
    @Key(
            value = URI_BY_DEFAULT,
            form = "(?:" + Patterns.REDIS_URI + ")?",
            expected = "a URI like redis://user:password@host:6379 (or rediss), or empty for none",
            shown = Key.Shown.URI)
        String uri,
    @Key(
            form = Patterns.REDIS_URI,
            expected = "URIs like redis://host:26379",
            shown = Key.Shown.URI)
        List<String> uris,
    @Key(
            form = "[A-Za-z0-9._-]{0,128}",
            expected = "the name by which sentinels know a Redis: A-Z, a-z, 0-9 and ._-")
        String master,
    @Key(value = "1000", min = 1, max = 60_000) int timeoutMs,
    @Key(value = "0", max = 60) int replicaLagS,
    @Key(expected = "a file", certificates = true) String caFile) {
  /** Sets the name of the connection, as CLIENT LIST shows it. */
  public static final String CLIENT = "client";

  private static final String URI = "redis.uri";
  private static final String URIS = "redis.uris";
  private static final String MASTER = "redis.master";
  private static final String CA_FILE = "redis.ca_file";
  private static final String URI_BY_DEFAULT = "redis://127.0.0.1:6379";
  private static final String STANDALONE = "standalone";
  private static final String SENTINEL = "sentinel";
  private static final String CLUSTER = "cluster";

  /** The one database that a cluster has. */
  private static final Set<String> FIRST_DATABASE = Set.of("", "0");

  private static final String TLS_SCHEME = "rediss";

  /** The same protocol under another name, which the client does not know. */
  private static final Pattern VALKEY = Pattern.compile("^valkey(s?)(?=://)");

  private static final int URIS_MAX = 32;

  public RedisConfig {
    uris = List.copyOf(uris);
    checkServers(uri, uris);
    checkMode(mode, uris, master);
    require(
        !mode.equals(SENTINEL) || !servers(uri, uris).isEmpty(),
        URIS,
        "must be set where redis.mode is sentinel");
    require(
        caFile.isEmpty() || isTls(servers(uri, uris)),
        CA_FILE,
        "must be empty unless the URI of Redis begins with rediss://");
  }

  /** One Redis at this URI. */
  public static RedisConfig standalone(String uri, int timeoutMs, int replicaLagS, String caFile) {
    return new RedisConfig(STANDALONE, uri, List.of(), "", timeoutMs, replicaLagS, caFile);
  }

  private static void checkServers(String uri, List<String> uris) {
    require(
        uris.isEmpty() || uri.isEmpty() || uri.equals(URI_BY_DEFAULT),
        URI,
        "must not be set beside " + URIS);
    String key = uris.isEmpty() ? URI : URIS;
    List<ServerUri> servers = servers(uri, uris);
    for (ServerUri server : servers) {
      server.checkParameters(key, Set.of(CLIENT), "rediss:// and " + CA_FILE);
    }
    require(
        servers.size() <= URIS_MAX && new HashSet<>(uris).size() == uris.size(),
        key,
        "must be at most %d URIs that differ".formatted(URIS_MAX));
    require(
        servers.stream().map(RedisConfig::withoutHost).distinct().count() <= 1,
        key,
        "must have the same scheme, login, database and parameters in each URI");
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
    require(!sentinel || !master.isEmpty(), MASTER, "must be set where redis.mode is sentinel");
    require(sentinel || master.isEmpty(), MASTER, "must be empty unless redis.mode is sentinel");
    require(!cluster || !uris.isEmpty(), URIS, "must be set where redis.mode is cluster");
    require(
        !cluster || FIRST_DATABASE.contains(ServerUri.parse(uris.get(0)).path()),
        URIS,
        "must not name a database: a cluster has one, 0");
    require(
        sentinel || cluster || uris.size() <= 1,
        URIS,
        "must be one URI where redis.mode is standalone");
  }

  /** Hosts, login and database number: of Redis, its sentinels, or nodes; none if there is none. */
  public List<ServerUri> servers() {
    return servers(uri, uris);
  }

  private static List<ServerUri> servers(String uri, List<String> uris) {
    return (uris.isEmpty() ? Stream.of(uri) : uris.stream())
        .filter(entry -> !entry.isEmpty())
        .map(entry -> VALKEY.matcher(entry).replaceFirst("redis$1"))
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
