package io.sluice.stock.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.sluice.async.TimeLimit;
import io.sluice.config.RedisConfig;
import io.sluice.config.value.ServerUri;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Opens connections to Redis as the configuration says: address, login, TLS, time-outs. */
final class RedisConnector {
  /** The connection is checked this often, so it is never idle for longer. */
  static final int LOOK_EVERY_MS = 1_000;

  private static final int DEFAULT_PORT = 6379;

  private final Vertx vertx;
  private final RedisConfig config;

  RedisConnector(Vertx vertx, RedisConfig config) {
    this.vertx = vertx;
    this.config = config;
  }

  /**
   * A client for one connection: closing the client cuts a hung connection. The file of authorities
   * is read again by each client.
   */
  Redis client() {
    return Redis.createClient(vertx, options(config));
  }

  /** Connects, converses, and closes the connection whatever the outcome. */
  <T> Future<T> once(Function<RedisConnection, Future<T>> conversation) {
    Redis client = client();
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

  String host() {
    return config.server().host();
  }

  /** The login is not part of the connection string: the client's parser decodes it as a form. */
  static RedisOptions options(RedisConfig config) {
    ServerUri server = config.server();
    RedisOptions options =
        new RedisOptions()
            .setConnectionString(withoutLogin(server))
            .setNetClientOptions(transport(config))
            .setMaxPoolSize(1)
            .setMaxPoolWaiting(1)
            .setPoolCleanerInterval(0)
            .setPoolRecycleTimeout(-1);
    if (!server.user().isEmpty()) {
      // Without a password the client would not log in at all.
      options.setUser(server.user()).setPassword(server.password());
    } else if (!server.password().isEmpty()) {
      options.setPassword(server.password());
    }
    return options;
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

  private static String withoutLogin(ServerUri server) {
    String client = server.parameters().getOrDefault(RedisConfig.CLIENT, "");
    return "%s://%s:%d/%s%s"
        .formatted(
            server.scheme(),
            server.hostInUri(),
            server.portOr(DEFAULT_PORT),
            server.path(),
            client.isEmpty() ? "" : "?client=" + URLEncoder.encode(client, StandardCharsets.UTF_8));
  }
}
