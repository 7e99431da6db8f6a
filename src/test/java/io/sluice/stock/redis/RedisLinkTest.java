package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.RedisConfig;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** Against a server that accepts connections and never answers. */
class RedisLinkTest {
  private static final int TIMEOUT_MS = 5_000;

  @Test
  void shouldSayNothingWhenItIsClosedWhileItConnects() throws IOException {
    // given
    try (RedisUnderTest redis = new RedisUnderTest();
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        LogWatch log = LogWatch.of(RedisLink.class)) {
      String uri = "redis://127.0.0.1:" + silent.getLocalPort();
      var unit =
          new RedisNode(
              redis.vertx,
              new RedisConnector(redis.vertx, RedisConfig.standalone(uri, TIMEOUT_MS, 0, "")),
              redis.meters);
      Future<Throwable> started = redis.loop.call(() -> RedisUnderTest.causeOf(unit.start()));

      // when
      Socket connection = silent.accept();
      Future<Void> closed = redis.loop.call(unit::close);
      connection.close();

      // then
      assertThat(await(started)).hasMessage("CONNECTION_CLOSED");
      await(closed);
      assertThat(log.lines()).isEmpty();
    }
  }
}
