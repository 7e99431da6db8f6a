package io.sluice.testkit.tls;

import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.mysql.MysqlFactory;
import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.RunFolder;
import io.sluice.testkit.process.StartContext;
import io.sluice.testkit.process.StartListener;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.redis.AclRule;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisFactory;
import io.sluice.testkit.server.ServerBackend;
import io.sluice.testkit.server.ServerFactory;
import io.sluice.testkit.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * A Redis and a database that demand TLS and a login, with certificates for {@code localhost}; each
 * is started when it is first asked for. They are child processes even where the other servers run
 * in containers, since they read the certificates' files.
 */
public final class SecureServers implements AutoCloseable {
  /** The only name that the certificates are for. */
  public static final String HOST = "localhost";

  private final RunFolder folder = Workspace.newRunFolder(Workspace.root().resolve("secure"));
  private final Certificates ours =
      Certificates.foundedIn(folder.path().resolve("ours"), "authority of the test");
  private final Certificates foreign =
      Certificates.foundedIn(folder.path().resolve("foreign"), "authority of nobody");
  private final Certificates.Issued shown = ours.issue("server", HOST);
  private final int redisTlsPort = FreePort.next();
  private RedisBackend redis;
  private MysqlBackend mysql;

  /** The authority that signed the servers' certificates. */
  public Path ca() {
    return ours.ca();
  }

  /** An authority that did not. */
  public Path foreignCa() {
    return foreign.ca();
  }

  /**
   * Its plain port is for the tests' own questions; who does not log in may ask, not run scripts.
   */
  public RedisBackend redis() {
    if (redis == null) {
      ServerOptions options = ServerOptions.none();
      for (Map.Entry<String, String> setting :
          Map.of(
                  "tls-port", String.valueOf(redisTlsPort),
                  "tls-cert-file", shown.certificate().toString(),
                  "tls-key-file", shown.key().toString(),
                  "tls-ca-cert-file", ours.ca().toString(),
                  "tls-auth-clients", "no")
              .entrySet()) {
        options = options.withRedis(setting.getKey(), setting.getValue());
      }
      redis = start(new RedisFactory(context(options)));
      redis.administer("ACL SETUSER default -eval -evalsha");
    }
    return redis;
  }

  /** Its address for this login, {@code user:password} or empty, at the port that demands TLS. */
  public String redisUri(String host, String login) {
    redis();
    return "rediss://%s%s:%d".formatted(login.isEmpty() ? "" : login + "@", host, redisTlsPort);
  }

  /** Makes a user with the rule of the documentation; more rules may take from it. */
  public void addRedisUser(String name, String password, String... more) {
    try {
      String rule = AclRule.of(password);
      redis().administer("ACL SETUSER " + name + " " + rule + " " + String.join(" ", more));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public MysqlBackend mysql() {
    if (mysql == null) {
      ServerOptions options =
          ServerOptions.none()
              .withMysql("ssl", "ON")
              .withMysql("ssl-ca", ours.ca().toString())
              .withMysql("ssl-cert", shown.certificate().toString())
              .withMysql("ssl-key", shown.key().toString());
      mysql = start(new MysqlFactory(context(options)));
    }
    return mysql;
  }

  /** A new database whose user must come over TLS, with this password, at this host. */
  public String mysqlUri(String host, String password) {
    URI uri = URI.create(mysql().newDatabase());
    String user = uri.getUserInfo().split(":", 2)[0];
    mysql()
        .administer(
            "ALTER USER '%s'@'%%' IDENTIFIED BY '%s' REQUIRE SSL".formatted(user, password));
    return "mysql://%s:%s@%s:%d%s".formatted(user, password, host, uri.getPort(), uri.getPath());
  }

  private StartContext context(ServerOptions options) {
    return new StartContext(folder.path(), Map.of(), options, StartListener.SILENT);
  }

  private static <B extends ServerBackend> B start(ServerFactory<B> factory) {
    return factory.ofSystem().orElseGet(factory::embedded);
  }

  @Override
  public void close() {
    if (mysql != null) {
      mysql.close();
    }
    if (redis != null) {
      redis.close();
    }
    folder.close();
  }
}
