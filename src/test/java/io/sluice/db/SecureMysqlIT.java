package io.sluice.db;

import static io.sluice.testkit.tls.SecureServers.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.MysqlConfig;
import io.sluice.db.Database.PoolDecorator;
import io.sluice.metrics.Meters;
import io.sluice.monitor.ConnectFault;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.tls.SecureServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database whose user must come over TLS, and one that has none. */
class SecureMysqlIT {
  private static final int TIMEOUT_MS = 5_000;
  private static final String PASSWORD = "canary-7f3a";

  private static SecureServers servers;
  private static Vertx vertx;
  private static String uri;

  @BeforeAll
  static void start() {
    servers = new SecureServers();
    uri = servers.mysqlUri(HOST, PASSWORD);
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() {
    vertx.close();
    servers.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"required", "verify"})
  void shouldEncryptEveryConnection(String tls) {
    // given
    MysqlConfig config = config(uri, tls, tls.equals("verify") ? servers.ca() : null);
    Database unit =
        Database.open(
            vertx, config, new Meters(new SimpleMeterRegistry()), PoolDecorator.NONE, "all");

    // when
    Throwable migrated = failure(Migrations.run(vertx, config));
    Throwable read =
        failure(
            unit.withSession(
                session ->
                    session.select(SqlStatement.LIST_SCHEMA_VERSIONS, Tuple.tuple(), row -> row)));

    // then
    assertThat(migrated).isNull();
    assertThat(read).isNull();
    failure(unit.close());
  }

  @Test
  void shouldBeRefusedWithoutTls() {
    // when
    Throwable failure = failure(Migrations.run(vertx, config(uri, "disabled", null)));

    // then
    assertFault(failure, ConnectFault.LOGIN_REFUSED);
  }

  @Test
  void shouldBeRefusedWithAWrongPassword() {
    // given
    String wrong = uri.replace(PASSWORD, PASSWORD + "-wrong");

    // when
    Throwable failure = failure(Migrations.run(vertx, config(wrong, "verify", servers.ca())));

    // then
    assertFault(failure, ConnectFault.LOGIN_REFUSED);
  }

  @Test
  void shouldRefuseAServerThatItCannotTrust() {
    // given
    String byAddress = uri.replace(HOST, "127.0.0.1");

    // when
    Throwable name = failure(Migrations.run(vertx, config(byAddress, "verify", servers.ca())));
    Throwable ca = failure(Migrations.run(vertx, config(uri, "verify", servers.foreignCa())));
    Throwable jvm = failure(Migrations.run(vertx, config(uri, "verify", null)));

    // then
    assertFault(name, ConnectFault.WRONG_HOST_NAME);
    assertFault(ca, ConnectFault.CERTIFICATE_NOT_TRUSTED);
    assertFault(jvm, ConnectFault.CERTIFICATE_NOT_TRUSTED);
  }

  /**
   * The server was told that TLS follows, so that nothing of the login goes to it as plain text.
   */
  @Test
  void shouldNeverGoOnAsPlainTextWhenTheServerHasNoTls() {
    // given
    URI plain = URI.create(Backends.shared().mysql().newDatabase());

    // when
    Throwable failure = failure(Migrations.run(vertx, config(plain.toString(), "required", null)));

    // then
    assertFault(failure, ConnectFault.NOT_TLS);
  }

  private static void assertFault(Throwable failure, ConnectFault fault) {
    assertThat(failure).isInstanceOf(SqlFailure.class);
    assertThat(ConnectFault.of(failure)).as("%s", failure).isEqualTo(fault);
    assertThat(failure.getMessage()).doesNotContain("\n").doesNotContain("canary");
  }

  private static MysqlConfig config(String uri, String tls, @Nullable Path ca) {
    return new MysqlConfig(uri, 3, 1, TIMEOUT_MS, tls, ca == null ? "" : ca.toString());
  }

  /** The failure, or null. */
  private static Throwable failure(Future<?> call) {
    Future<Throwable> failure = call.transform(done -> Future.succeededFuture(done.cause()));
    try {
      return failure.await(4L * TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }
}
