package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.config.RedisConfig;
import io.sluice.metrics.Meters;
import io.sluice.stock.StockConnection;
import io.sluice.stock.redis.RedisConnector;
import io.sluice.stock.redis.RedisStock;
import io.sluice.testkit.server.Backends;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The address behind the name of a server changes while an instance runs. */
class MovedNameIT {
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir private Path folder;
  private Path hosts;
  private Vertx vertx;

  @BeforeEach
  void nobodyIsThere() throws IOException {
    hosts = folder.resolve("hosts");
    Files.writeString(hosts, "127.0.0.77 moved.test\n");
    vertx =
        Vertx.vertx(
            new VertxOptions()
                .setAddressResolverOptions(Main.names().setHostsPath(hosts.toString())));
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void shouldConnectToRedisWhereItsNameIsNow() throws IOException {
    // given
    int port = URI.create(Backends.shared().redis().uri()).getPort();
    RedisConfig config = RedisConfig.standalone("redis://moved.test:" + port, 5_000, 0, "");
    StockConnection unit =
        RedisStock.open(
            vertx, new RedisConnector(vertx, config), new Meters(new SimpleMeterRegistry()));
    boolean connected = unit.start().transform(MovedNameIT::succeeded).await();
    assertThat(connected).isFalse();

    // when
    Files.writeString(hosts, "127.0.0.1 moved.test\n");

    // then
    await().atMost(SOON).until(unit::isUp);
    unit.close();
  }

  /** As the database's client does for each connection. */
  @Test
  void shouldLookUpANameAgainForEachConnection() throws IOException {
    // given
    int port =
        vertx
            .createNetServer()
            .connectHandler(NetSocket::close)
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();
    var client = vertx.createNetClient();
    boolean before = client.connect(port, "moved.test").transform(MovedNameIT::succeeded).await();

    // when
    Files.writeString(hosts, "127.0.0.1 moved.test\n");
    boolean after = client.connect(port, "moved.test").transform(MovedNameIT::succeeded).await();

    // then
    assertThat(before).isFalse();
    assertThat(after).isTrue();
  }

  /** Of DNS, the same as the JVM does for Kafka. */
  @Test
  void shouldKeepNoAnswerOfDnsForLong() {
    assertThat(Main.names().getCacheMaxTimeToLive()).isEqualTo(Main.NAMES_KEPT_S);
  }

  private static Future<Boolean> succeeded(AsyncResult<?> done) {
    return Future.succeededFuture(done.succeeded());
  }
}
