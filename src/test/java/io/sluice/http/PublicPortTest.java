package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.config.HttpConfig;
import io.sluice.reservation.OrderAnswer;
import io.sluice.reservation.PlacedOrder;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The life of the port: opened, serving, overloaded, failing, drained. */
class PublicPortTest {
  private static final String BODY = "{\"sku_id\":1001,\"qty\":1}";
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;

  @Test
  void shouldAnswer503ToEverythingWhenNotServingYet() {
    // given
    try (PublicPortFixture fixture = opened(100)) {

      // when
      Stream<Answer> answers =
          Stream.of(
              place(fixture),
              fixture.probe.get(ORDER),
              fixture.probe.get("/v1/skus/1"),
              fixture.probe.get("/nowhere"));

      // then
      assertThat(answers)
          .allSatisfy(
              answer -> {
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.problem()).isEqualTo("unavailable");
                assertThat(answer.header("retry-after")).isEqualTo("2");
              });
    }
  }

  @Test
  void shouldServeOnTheSameConnectionWhenItsRoutesCome() {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      place(fixture);

      // when
      fixture.serve();

      // then
      assertThat(place(fixture).status()).isEqualTo(201);
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
                Answer answer = caller.json("POST", "/v1/orders", BODY, "X-User-Id", "alice");
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
      HttpConfig taken = new HttpConfig("127.0.0.1", fixture.port.port(), 1, 100);

      // when
      Throwable fault =
          catchThrowable(() -> HttpProbe.await(PublicPort.open(other.vertx, taken, other.meters)));

      // then
      assertThat(fault).hasRootCauseInstanceOf(java.net.BindException.class);
    }
  }

  @Test
  void shouldAnswer503BusyWhenAllPlacesAreTaken() {
    // given
    try (PublicPortFixture fixture = opened(2)) {
      fixture.serve();
      Promise<PlacedOrder> slow = Promise.promise();
      fixture.orders.placed = slow.future();
      CompletableFuture<Answer> first = placeLater(fixture);
      CompletableFuture<Answer> second = placeLater(fixture);
      eventually(() -> fixture.orders.asked.size() == 2);

      // when
      Answer third = place(fixture);
      Answer fourth = fixture.probe.get(ORDER);

      // then
      assertThat(third.status()).isEqualTo(503);
      assertThat(third.problem()).isEqualTo("busy");
      assertThat(third.header("retry-after")).isEqualTo("1");
      assertThat(fourth.problem()).isEqualTo("busy");
      slow.complete(new PlacedOrder.Accepted(FakeOrders.RESERVED, true));
      assertThat(HttpProbe.await(first).status()).isEqualTo(201);
      assertThat(HttpProbe.await(second).status()).isEqualTo(201);
      assertThat(place(fixture).status()).isEqualTo(201);
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
            .write(("GET " + ORDER + "?wait=30 HTTP/1.1\r\nHost: x\r\n\r\n").getBytes("ASCII"));
        eventually(() -> fixture.orders.asked.size() == 1);
      }

      // when
      eventually(() -> inFlight(fixture) == 0);

      // then
      assertThat(place(fixture).status()).isEqualTo(201);
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
            fixture.probe.raw("GET " + ORDER + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 200 ");
      }

      // then
      assertThat(inFlight(fixture)).isZero();
    }
  }

  @Test
  void shouldAnswer500WithoutTheReasonWhenAHandlerFails() {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      fixture.serve();
      fixture.orders.placed = Future.failedFuture(new IllegalStateException("secret detail"));
      fixture.orders.found = null;

      // when
      Answer failedFuture = place(fixture);
      Answer thrown = fixture.probe.get(ORDER);

      // then
      assertThat(List.of(failedFuture, thrown))
          .allSatisfy(
              answer -> {
                assertThat(answer.status()).isEqualTo(500);
                assertThat(answer.problem()).isEqualTo("internal");
                assertThat(answer.text()).doesNotContain("secret").doesNotContain("Exception");
              });
      assertThat(inFlight(fixture)).isZero();
    }
  }

  @Test
  void shouldAnswer400WhenItIsNoHttp() throws IOException {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      fixture.serve();

      // when
      String noVersion = fixture.probe.raw("GARBAGE\r\n\r\n");
      String badLength =
          fixture.probe.raw("POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 1x\r\n\r\n");
      String badQuery =
          fixture.probe.raw(
              "GET " + ORDER + "?wait=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      String badPath =
          fixture.probe.raw("GET /v1/skus/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

      // then
      assertThat(List.of(noVersion, badLength, badQuery, badPath))
          .allSatisfy(
              answer ->
                  assertThat(answer)
                      .contains(" 400 ")
                      .contains("\"type\":\"/problems/bad-request\""));
    }
  }

  @Test
  void shouldFinishWhatIsUnderWayWhenDrained() {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      fixture.serve();
      Promise<PlacedOrder> slow = Promise.promise();
      fixture.orders.placed = slow.future();
      CompletableFuture<Answer> underWay = placeLater(fixture);
      eventually(() -> fixture.orders.asked.size() == 1);

      // when
      Future<Void> drained = fixture.port.drain(Duration.ofSeconds(20));
      Answer late = place(fixture);

      // then
      assertThat(late.status()).isEqualTo(503);
      assertThat(late.problem()).isEqualTo("unavailable");
      assertThat(late.header("connection")).isEqualTo("close");
      assertThat(drained.isComplete()).isFalse();
      slow.complete(new PlacedOrder.Accepted(FakeOrders.RESERVED, true));
      assertThat(HttpProbe.await(underWay).status()).isEqualTo(201);
      HttpProbe.await(drained);
      assertThat(catchThrowable(() -> place(fixture)))
          .hasStackTraceContaining(ConnectException.class.getName());
    }
  }

  @Test
  void shouldCloseAnywayWhenDrainingTakesTooLong() {
    // given
    try (PublicPortFixture fixture = opened(100)) {
      fixture.serve();
      fixture.orders.placed = Promise.<PlacedOrder>promise().future();
      CompletableFuture<Answer> underWay = placeLater(fixture);
      eventually(() -> fixture.orders.asked.size() == 1);

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

  private static Answer place(PublicPortFixture fixture) {
    return HttpProbe.await(placeLater(fixture));
  }

  private static CompletableFuture<Answer> placeLater(PublicPortFixture fixture) {
    return fixture.probe.sendLater(
        "POST",
        "/v1/orders",
        BodyPublishers.ofString(BODY),
        "X-User-Id",
        "alice",
        "Content-Type",
        "application/json");
  }

  private static int inFlight(PublicPortFixture fixture) {
    return (int) fixture.registry.get("sluice_http_requests_in_flight").gauge().value();
  }

  private static void eventually(BooleanSupplier condition) {
    HttpProbe.eventually(condition);
  }
}
