package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.grant.PlacedOrder;
import io.sluice.order.OrderAnswer;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Requests in flight: their limit, their end, and draining the port. */
class PublicPortLoadTest {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;

  @Test
  void shouldAnswer503BusyWhenAllPlacesAreTaken() {
    // given
    try (PublicPortFixture fixture = opened(2)) {
      fixture.serve();
      Promise<PlacedOrder> slow = Promise.promise();
      fixture.orders.placed = slow.future();
      CompletableFuture<Answer> first = fixture.placeLater();
      CompletableFuture<Answer> second = fixture.placeLater();
      HttpProbe.eventually(() -> fixture.orders.asked.size() == 2);

      // when
      Answer third = fixture.place();
      Answer fourth = fixture.probe.get(ORDER);

      // then
      assertThat(third.problem()).isEqualTo("busy");
      assertThat(third.header("retry-after")).isEqualTo("1");
      assertThat(fourth.problem()).isEqualTo("busy");
      slow.complete(new PlacedOrder.Accepted(FakeOrders.RESERVED, true));
      assertThat(HttpProbe.await(first).status()).isEqualTo(201);
      assertThat(HttpProbe.await(second).status()).isEqualTo(201);
      assertThat(fixture.place().status()).isEqualTo(201);
    }
  }

  @Test
  void shouldGiveThePlaceBackWhenTheCallerIsGone() throws IOException {
    // given
    try (PublicPortFixture fixture = opened(1)) {
      fixture.serve();
      fixture.orders.found = Promise.<OrderAnswer>promise().future();
      try (Socket caller = new Socket("127.0.0.1", fixture.port.port())) {
        caller
            .getOutputStream()
            .write(
                ("GET " + ORDER + "?wait=30 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .getBytes("ASCII"));
        HttpProbe.eventually(() -> fixture.orders.asked.size() == 1);
      }

      // when
      HttpProbe.eventually(() -> fixture.inFlight() == 0);

      // then
      assertThat(fixture.place().status()).isEqualTo(201);
    }
  }

  @Test
  void shouldCountDownToZeroWhenConnectionsCloseAfterEachAnswer() throws IOException {
    // given
    try (PublicPortFixture fixture = opened(3)) {
      fixture.serve();

      // when
      for (int i = 0; i < 20; i++) {
        String answer =
            fixture.probe.raw(
                "GET " + ORDER + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 ");
      }

      // then
      HttpProbe.eventually(() -> fixture.inFlight() == 0);
    }
  }

  @Test
  void shouldFinishWhatIsUnderWayWhenDrained() {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      fixture.serve();
      Promise<PlacedOrder> slow = Promise.promise();
      fixture.orders.placed = slow.future();
      CompletableFuture<Answer> underWay = fixture.placeLater();
      HttpProbe.eventually(() -> fixture.orders.asked.size() == 1);

      int port = fixture.port.port();

      // when
      Future<Void> drained = fixture.port.drain(Duration.ofSeconds(20));
      Answer late = fixture.place();

      // then
      assertThat(late.problem()).isEqualTo("unavailable");
      assertThat(late.header("connection")).isEqualTo("close");
      assertThat(drained.isComplete()).isFalse();
      slow.complete(new PlacedOrder.Accepted(FakeOrders.RESERVED, true));
      assertThat(HttpProbe.await(underWay).status()).isEqualTo(201);
      HttpProbe.await(drained);
      // On a new connection: one that the client kept may have been closed by then.
      assertThat(catchThrowable(() -> new Socket("127.0.0.1", port).close()))
          .isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void shouldCloseAnywayWhenDrainingTakesTooLong() {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      fixture.serve();
      fixture.orders.placed = Promise.<PlacedOrder>promise().future();
      CompletableFuture<Answer> underWay = fixture.placeLater();
      HttpProbe.eventually(() -> fixture.orders.asked.size() == 1);

      // when
      HttpProbe.await(fixture.port.drain(Duration.ofMillis(100)));

      // then
      assertThat(catchThrowable(() -> HttpProbe.await(underWay)))
          .hasRootCauseInstanceOf(IOException.class);
    }
  }

  private static PublicPortFixture opened(int queueMax) {
    return PublicPortFixture.opened(PublicPortFixture.LOCAL_BACK_OFFICE, 1, queueMax);
  }
}
