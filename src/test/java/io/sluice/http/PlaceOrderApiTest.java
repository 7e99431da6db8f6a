package io.sluice.http;

import static io.sluice.http.PublicPortFixture.BODY;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder;
import io.sluice.model.Refusal;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code POST /v1/orders}: every row of the API's table. */
class PlaceOrderApiTest {
  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  private final HttpProbe probe = fixture.probe;

  @Test
  void shouldPassTheReferenceOnWhenThereIsOne() {
    // when
    Answer answer =
        probe.json(
            "POST",
            "/v1/orders",
            "{\"sku_id\":1001,\"qty\":1,\"reference\":\"cart-7\"}",
            "X-User-Id",
            "alice");

    // then
    assertThat(answer.status()).isEqualTo(201);
    assertThat(fixture.orders.asked).containsExactly("place alice 1001 1 null for cart-7");
  }

  @ParameterizedTest
  @CsvSource({
    "LIMIT_REACHED, 0, open alice 1001",
    "LIMIT_REACHED, 1002, open alice 1002",
    "SOLD_OUT, 0,"
  })
  void shouldNameTheBuyersOwnOpenOrdersWhenHisLimitIsReached(
      Refusal refusal, long line, String asked) {
    // given
    fixture.orders.open = Future.succeededFuture(List.of(FakeOrders.TOKEN));
    fixture.orders.placed =
        Future.succeededFuture(new PlacedOrder.Refused(refusal, "Expected x", 0).ofLine(line));

    // when
    Answer answer = fixture.order(BODY, "alice");

    // then
    assertThat(answer.json().getJsonArray("open_orders"))
        .isEqualTo(asked == null ? null : new JsonArray().add(FakeOrders.TOKEN.value()));
    assertThat(fixture.orders.asked.stream().filter(call -> call.startsWith("open")).toList())
        .isEqualTo(asked == null ? List.of() : List.of(asked));
  }

  @Test
  void shouldWordEachRefusalAnewWhenItsDetailChanges() {
    // given
    fixture.orders.placed =
        Future.succeededFuture(new PlacedOrder.Refused(Refusal.NOT_OPEN, "Expected 1, but 2", 0));
    fixture.order(BODY, "alice");
    fixture.orders.placed =
        Future.succeededFuture(new PlacedOrder.Refused(Refusal.NOT_OPEN, "Expected 3, but 4", 0));

    // when
    Answer answer = fixture.order(BODY, "alice");

    // then
    assertThat(answer.json().getString("detail")).isEqualTo("Expected 3, but 4");
  }

  @ParameterizedTest
  @CsvSource({"BUSY, 0, 1", "BUSY, 3, 3", "UNAVAILABLE, 3, 3", "SOLD_OUT, 3,"})
  void shouldSayWhenToRetryAndWhenNobodyKnowsInASecond(Refusal refusal, int knownS, String toldS) {
    // given
    fixture.orders.placed =
        Future.succeededFuture(new PlacedOrder.Refused(refusal, "Expected x, but y", knownS));

    // when
    Answer answer = fixture.order(BODY, "alice");

    // then
    assertThat(answer.header("retry-after")).isEqualTo(toldS);
  }

  @Test
  void shouldReadTheBodyWhenItIsAsLargeAsAllowed() {
    // given
    String body = BODY + " ".repeat(16 * 1024 - BODY.length());

    // when
    Answer answer = fixture.order(body, "alice");

    // then
    assertThat(answer.status()).isEqualTo(201);
  }

  @Test
  void shouldReadTheBodyWhenItComesInPieces() throws IOException {
    // when
    String answer =
        probe.raw(
            "POST /v1/orders HTTP/1.1\r\n"
                + "Host: x\r\n"
                + "X-User-Id: alice\r\n"
                + "Connection: close\r\n"
                + "Content-Type: application/json; charset=UTF-8\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
                + "1\r\n"
                + "{\r\n"
                + "8\r\n"
                + "\"sku_id\"\r\n"
                + "5\r\n"
                + ":1001\r\n"
                + "9\r\n"
                + ",\"qty\":1}\r\n"
                + "0\r\n\r\n");

    // then
    assertThat(answer).startsWith("HTTP/1.1 201 ");
    assertThat(fixture.orders.asked).containsExactly("place alice 1001 1 null");
  }

  @Test
  void shouldAskForTheBodyWhenTheCallerWaitsForIt() throws IOException {
    // when
    String answer =
        probe.raw(
            "POST /v1/orders HTTP/1.1\r\n"
                + "Host: x\r\n"
                + "X-User-Id: alice\r\n"
                + "Connection: close\r\n"
                + "Expect: 100-continue\r\n"
                + "Content-Type: application/json\r\n"
                + "Content-Length: 23\r\n\r\n"
                + BODY);

    // then
    assertThat(answer).startsWith("HTTP/1.1 100 Continue\r\n").contains("HTTP/1.1 201 ");
  }

  @Test
  void shouldTakeTheLongestKeyWhenAllItsCharactersAreVisible() {
    // given
    String key = "!~".repeat(64);

    // when
    fixture.order(BODY, "alice", "Idempotency-Key", key);

    // then
    assertThat(fixture.orders.asked).containsExactly("place alice 1001 1 " + key);
  }

  @Test
  void shouldAnswer201WhenTheQueryIsEmpty() {
    // when
    Answer answer = probe.json("POST", "/v1/orders?", BODY, "X-User-Id", "alice");

    // then
    assertThat(answer.status()).isEqualTo(201);
  }

  @Test
  void shouldNameTheParameterWhenThereIsAQuery() {
    // when
    Answer answer = probe.json("POST", "/v1/orders?qty=2", BODY, "X-User-Id", "alice");

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("qty");
  }

  @Test
  void shouldCountTheAnswersWhenScraped() {
    // given
    fixture.order(BODY, "alice");
    fixture.order("{}", "alice");

    // when
    String metrics = fixture.registry.scrape();

    // then
    assertThat(metrics)
        .contains("sluice_http_requests_total{call=\"place\",outcome=\"created\"}")
        .contains("sluice_http_requests_total{call=\"place\",outcome=\"bad-request\"}")
        .contains("sluice_placing_seconds_bucket{le=\"0.005\"}");
  }
}
