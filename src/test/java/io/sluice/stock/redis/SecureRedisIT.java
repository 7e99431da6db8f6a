package io.sluice.stock.redis;

import static io.sluice.testkit.tls.SecureServers.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.RedisConfig;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.sluice.testkit.tls.SecureServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Redis that demands TLS and a login, and each way to be refused by it. */
class SecureRedisIT {
  private static final int TIMEOUT_MS = 5_000;
  private static final String PASSWORD = "canary/7f3a@+1%x";
  private static final String ENCODED = "canary%2F7f3a%40+1%25x";

  private static SecureServers servers;
  private static Vertx vertx;

  @BeforeAll
  static void start() {
    servers = new SecureServers();
    servers.addRedisUser("sluice", PASSWORD);
    servers.addRedisUser("half", PASSWORD, "-zadd", "-time", "-info");
    servers.addRedisUser("scriptless", PASSWORD, "-eval");
    servers.addRedisUser("narrow", PASSWORD, "resetkeys", "~stock:*");
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() {
    vertx.close();
    servers.close();
  }

  @Test
  void shouldBeUsableWithTheRuleOfTheDocumentation() {
    // when
    Throwable failure = probe(servers.redisUri(HOST, "sluice:" + ENCODED), servers.ca());

    // then
    assertThat(failure).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sluice:wrong-canary-7f3a|LOGIN_REFUSED|WRONGPASS",
        "nobody:wrong-canary-7f3a|LOGIN_REFUSED|WRONGPASS",
        "half:" + ENCODED + "|PERMISSION_MISSING|no permissions to run the 'info'",
        "scriptless:" + ENCODED + "|PERMISSION_MISSING|no permissions to run the 'eval'",
        "narrow:" + ENCODED + "|PERMISSION_MISSING|no permissions to access",
      })
  void shouldTellWhyTheLoginDoesNotDo(String login, ConnectFault fault, String words) {
    // when
    Throwable failure = probe(servers.redisUri(HOST, login), servers.ca());

    // then
    assertFault(failure, fault);
    assertThat(failure).hasMessageContaining(words);
  }

  @Test
  void shouldNameEachCommandOfTheScriptsThatIsForbidden() {
    // given
    servers.addRedisUser("half", PASSWORD, "-zadd", "-hset");

    // when
    Throwable failure = probe(servers.redisUri(HOST, "half:" + ENCODED), servers.ca());

    // then
    assertFault(failure, ConnectFault.PERMISSION_MISSING);
    assertThat(failure).hasMessageEndingWith("it forbids HSET, ZADD");
  }

  @Test
  void shouldRefuseAServerThatItCannotTrust() {
    // given
    String login = "sluice:" + ENCODED;
    URI plain = URI.create(servers.redis().uri());
    String notTls = "rediss://%s@%s:%d".formatted(login, HOST, plain.getPort());

    // then
    assertFault(
        probe(servers.redisUri("127.0.0.1", login), servers.ca()), ConnectFault.WRONG_HOST_NAME);
    assertFault(
        probe(servers.redisUri(HOST, login), servers.foreignCa()),
        ConnectFault.CERTIFICATE_NOT_TRUSTED);
    assertFault(probe(servers.redisUri(HOST, login), null), ConnectFault.CERTIFICATE_NOT_TRUSTED);
    assertThat(ConnectFault.of(probe(notTls, servers.ca())))
        .isIn(ConnectFault.NOT_TLS, ConnectFault.TLS_FAILED, ConnectFault.UNREACHABLE);
  }

  private static void assertFault(Throwable failure, ConnectFault fault) {
    assertThat(failure).isInstanceOf(ConnectFailure.class);
    assertThat(((ConnectFailure) failure).connectFault()).as("%s", failure).isEqualTo(fault);
    assertThat(failure.getMessage()).doesNotContain("\n").doesNotContain("canary");
  }

  /** The failure, or null. */
  private static Throwable probe(String uri, @Nullable Path ca) {
    var config = RedisConfig.standalone(uri, TIMEOUT_MS, 0, ca == null ? "" : ca.toString());
    Future<Throwable> failure =
        RedisStock.probe(new RedisConnector(vertx, config))
            .transform(done -> Future.succeededFuture(done.cause()));
    try {
      return failure.await(4L * TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }
}
