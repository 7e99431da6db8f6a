package io.sluice.stock.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.sluice.config.RedisConfig;
import io.sluice.config.ServerUri;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Makes clients of Redis and of sentinels as the configuration says: login, TLS, time-outs.
 * Thread-safe.
 */
record RedisClients(Vertx vertx, RedisConfig config) {
  /** The connection is checked this often, so it is never idle for longer. */
  static final int LOOK_EVERY_MS = 1_000;

  static final int SENTINEL_PORT = 26_379;

  /**
   * A client for one connection: closing the client cuts a hung connection. The file of authorities
   * is read again by each client.
   */
  Redis client(RedisAddress address) {
    return Redis.createClient(vertx, options(config, address));
  }

  /** The same for one connection to a sentinel, without a login. */
  Redis clientOf(ServerUri sentinel) {
    String address =
        "%s://%s:%d"
            .formatted(sentinel.scheme(), sentinel.hostInUri(), sentinel.portOr(SENTINEL_PORT));
    return Redis.createClient(vertx, oneConnection(config, address).setProtocolNegotiation(false));
  }

  /** The login is not part of the connection string: the client's parser decodes it as a form. */
  static RedisOptions options(RedisConfig config, RedisAddress address) {
    ServerUri server = config.servers().get(0);
    RedisOptions options = oneConnection(config, withoutLogin(server, address));
    if (!server.user().isEmpty()) {
      // Without a password the client would not log in at all.
      options.setUser(server.user()).setPassword(server.password());
    } else if (!server.password().isEmpty()) {
      options.setPassword(server.password());
    }
    return options;
  }

  private static RedisOptions oneConnection(RedisConfig config, String address) {
    return new RedisOptions()
        .setConnectionString(address)
        .setNetClientOptions(transport(config))
        .setMaxPoolSize(1)
        .setMaxPoolWaiting(1)
        .setPoolCleanerInterval(0)
        .setPoolRecycleTimeout(-1);
  }

  private static NetClientOptions transport(RedisConfig config) {
    NetClientOptions net =
        new NetClientOptions()
            .setConnectTimeout(config.timeoutMs())
            .setSslHandshakeTimeout(config.timeoutMs())
            .setSslHandshakeTimeoutUnit(MILLISECONDS)
            .setIdleTimeoutUnit(MILLISECONDS)
            .setReadIdleTimeout(LOOK_EVERY_MS + 2 * config.timeoutMs());
    if (config.isTls()) {
      net.setSsl(true).setHostnameVerificationAlgorithm("HTTPS");
      if (!config.caFile().isEmpty()) {
        net.setTrustOptions(new PemTrustOptions().addCertPath(config.caFile()));
      }
    }
    return net;
  }

  private static String withoutLogin(ServerUri server, RedisAddress address) {
    String client = server.parameters().getOrDefault(RedisConfig.CLIENT, "");
    return "%s://%s/%s%s"
        .formatted(
            server.scheme(),
            address,
            server.path(),
            client.isEmpty() ? "" : "?client=" + URLEncoder.encode(client, StandardCharsets.UTF_8));
  }
}
