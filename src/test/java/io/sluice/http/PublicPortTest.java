package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.config.Config.HttpConfig;
import io.sluice.config.TlsFiles;
import io.sluice.grant.PlacedOrder;
import io.sluice.order.OrderAnswer;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.sluice.web.RequestTraces;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The life cycle of the port: opened, serving, failing, drained; and requests in flight. */
class PublicPortTest {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;

  @Test
  void shouldAnswer503ToEverythingWhenNotServingYet() {
    // given
    try (PublicPortFixture fixture = opened(100)) {

      // when
      Stream<Answer> answers =
          Stream.of(
              fixture.place(),
              fixture.probe.get(ORDER),
              fixture.probe.get("/v1/skus/1"),
              fixture.probe.get("/nowhere"));

      // then
      assertThat(answers)
          .allSatisfy(
              answer -> {
                assertThat(answer.problem()).isEqualTo("unavailable");
                assertThat(answer.header("retry-after")).isEqualTo("2");
              });
    }
  }

  @Test
  void shouldServeOnTheSameConnectionWhenItsRoutesCome() {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      fixture.place();

      // when
      fixture.serve();

      // then
      assertThat(fixture.place().status()).isEqualTo(201);
    }
  }

  @Test
  void shouldAssembleOncePerLoopOnThatLoopWhenServing() {
    // given
    try (PublicPortFixture fixture =
        PublicPortFixture.opened(PublicPortFixture.LOCAL_BACK_OFFICE, 3, 100)) {
      List<String> threads = new java.util.concurrent.CopyOnWriteArrayList<>();

      // when
      HttpProbe.await(
          fixture.port.serve(
              () -> {
                threads.add(Thread.currentThread().getName());
                return Future.succeededFuture(fixture.routes());
              }));

      // then
      assertThat(threads).hasSize(3).doesNotHaveDuplicates().allMatch(n -> n.contains("eventloop"));
      assertThat(IntStream.range(0, 9).mapToObj(i -> new HttpProbe(fixture.port.port())))
          .allSatisfy(
              caller -> {
                Answer answer =
                    caller.json("POST", "/v1/orders", PublicPortFixture.BODY, "X-User-Id", "alice");
                assertThat(answer.status()).isEqualTo(201);
              });
    }
  }

  @Test
  void shouldAssembleOnlyWhatFailedWhenServedAgain() {
    // given
    try (PublicPortFixture fixture =
        PublicPortFixture.opened(PublicPortFixture.LOCAL_BACK_OFFICE, 2, 100)) {
      AtomicInteger calls = new AtomicInteger();
      Throwable fault =
          catchThrowable(
              () ->
                  HttpProbe.await(
                      fixture.port.serve(
                          () ->
                              calls.incrementAndGet() == 1
                                  ? Future.failedFuture("Redis is down")
                                  : Future.succeededFuture(fixture.routes()))));

      // when
      HttpProbe.await(
          fixture.port.serve(
              () -> {
                calls.incrementAndGet();
                return Future.succeededFuture(fixture.routes());
              }));

      // then
      assertThat(fault).hasStackTraceContaining("Redis is down");
      assertThat(calls).hasValue(3);
    }
  }

  @Test
  void shouldFailToOpenWhenThePortIsTaken() {
    // given
    try (PublicPortFixture fixture = opened(100);
        PublicPortFixture other = opened(100)) {
      HttpConfig taken =
          new HttpConfig(
              "127.0.0.1", fixture.port.port(), 1, 100, 100, 0, 10, 10, 16_384, TlsFiles.NONE);

      // when
      Throwable fault =
          catchThrowable(
              () ->
                  HttpProbe.await(
                      PublicPort.open(
                          other.vertx,
                          taken,
                          PublicPortFixture.LOCAL_BACK_OFFICE,
                          other.meters,
                          RequestTraces.OFF)));

      // then
      assertThat(fault).hasRootCauseInstanceOf(java.net.BindException.class);
    }
  }

  private static PublicPortFixture opened(int queueMax) {
    return PublicPortFixture.opened(PublicPortFixture.LOCAL_BACK_OFFICE, 1, queueMax);
  }

  @Test
  void shouldHaveNothingInFlightAfterAHandlerHasFailed() {
    // given
    try (PublicPortFixture fixture = opened(100).serve()) {
      fixture.orders.placed = Future.failedFuture(new IllegalStateException("a bug"));
      fixture.orders.found = null;

      // when
      Answer failedFuture = fixture.place();
      Answer thrown = fixture.probe.get(ORDER);

      // then
      assertThat(List.of(failedFuture.status(), thrown.status())).containsOnly(500);
      eventually(() -> fixture.inFlight() == 0);
    }
  }

  @Test
  void shouldAnswerEachOfManyRequestsThatAreSentAtOnce() throws IOException {
    // given
    try (PublicPortFixture fixture = opened(1_000).serve()) {
      String call = "GET /v1/skus/1 HTTP/1.1\r\nHost: x\r\n";

      // when
      String answers =
          fixture.probe.raw((call + "\r\n").repeat(299) + call + "Connection: close\r\n\r\n");

      // then
      assertThat(answers.split("HTTP/1.1 404 ", -1)).hasSize(301);
    }
  }

  // ---- requests in flight: their limit, their end, and draining the port

  @Test
  void shouldAnswer503BusyWhenAllPlacesAreTaken() {
    // given
    try (PublicPortFixture fixture = opened(2).serve()) {
      Promise<PlacedOrder> slow = Promise.promise();
      fixture.orders.placed = slow.future();
      CompletableFuture<Answer> first = fixture.placeLater();
      CompletableFuture<Answer> second = fixture.placeLater();
      eventually(() -> fixture.orders.asked.size() == 2);

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
    try (PublicPortFixture fixture = opened(1).serve()) {
      fixture.orders.found = Promise.<OrderAnswer>promise().future();
      try (Socket caller = new Socket("127.0.0.1", fixture.port.port())) {
        caller
            .getOutputStream()
            .write(
                ("GET " + ORDER + "?wait=30 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .getBytes("ASCII"));
        eventually(() -> fixture.orders.asked.size() == 1);
      }

      // when
      eventually(() -> fixture.inFlight() == 0);

      // then
      assertThat(fixture.place().status()).isEqualTo(201);
    }
  }

  @Test
  void shouldCountDownToZeroWhenConnectionsCloseAfterEachAnswer() throws IOException {
    // given
    try (PublicPortFixture fixture = opened(3).serve()) {
      // when
      for (int i = 0; i < 20; i++) {
        String answer =
            fixture.probe.raw(
                "GET " + ORDER + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 ");
      }

      // then
      eventually(() -> fixture.inFlight() == 0);
    }
  }

  @Test
  void shouldFinishWhatIsUnderWayWhenDrained() {
    // given
    try (PublicPortFixture fixture = opened(100).serve()) {
      Promise<PlacedOrder> slow = Promise.promise();
      fixture.orders.placed = slow.future();
      CompletableFuture<Answer> underWay = fixture.placeLater();
      eventually(() -> fixture.orders.asked.size() == 1);

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
    try (PublicPortFixture fixture = opened(100).serve()) {
      fixture.orders.placed = Promise.<PlacedOrder>promise().future();
      CompletableFuture<Answer> underWay = fixture.placeLater();
      eventually(() -> fixture.orders.asked.size() == 1);

      // when
      HttpProbe.await(fixture.port.drain(Duration.ofMillis(100)));

      // then
      assertThat(catchThrowable(() -> HttpProbe.await(underWay)))
          .hasRootCauseInstanceOf(IOException.class);
    }
  }
}
