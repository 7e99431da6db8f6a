package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer;
import io.sluice.order.OrderAnswer;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints about existing orders: every row of the API's table. */
class OrderApiTest {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;
  private static final String[] ALICE = {"X-User-Id", "alice"};
  private static final String[] OFFICE = {"Authorization", "Bearer " + PublicPortFixture.TOKEN};

  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.TOKEN_BACK_OFFICE);

  private final HttpProbe probe = fixture.probe;

  @Test
  void shouldAnswer200WithStatusAndReasonWhenTheOrderIsKnown() {
    // given
    fixture.orders.found =
        Future.succeededFuture(
            new OrderAnswer.Known(
                FakeOrders.PENDING.changed(OrderStatus.CANCELED, Reason.TIMEOUT, 1795248300999L)));

    // when
    Answer answer = probe.get(ORDER, ALICE);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("cache-control")).isEqualTo("no-store");
    assertThat(answer.json())
        .isEqualTo(
            new JsonObject()
                .put("order_token", FakeOrders.TOKEN.value())
                .put("sku_id", 1001)
                .put("qty", 1)
                .put("seq", 7)
                .put("status", "CANCELED")
                .put("reason", "TIMEOUT")
                .put("pay_before", "2026-11-21T08:05:00.123Z")
                .put("created_at", "2026-11-21T08:00:00.123Z")
                .put("updated_at", "2026-11-21T08:05:00.999Z"));
    assertThat(fixture.orders.asked).containsExactly("find " + FakeOrders.TOKEN + " alice");
  }

  @ParameterizedTest
  @CsvSource({"/cancel", "/confirm", "/refund"})
  void shouldAnswer200WithTheOrderWhenTheCommandIsDone(String command) {
    // when
    Answer answer = probe.post(ORDER + command, OFFICE);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getString("status")).isEqualTo("PENDING");
  }

  @ParameterizedTest
  @CsvSource({"/cancel", "/confirm", "/refund"})
  void shouldAnswer202WithTheOrderAsKnownWhenTheOutcomeIsNotSeen(String command) {
    // given
    fixture.orders.commanded =
        Future.succeededFuture(new CommandAnswer.Accepted(FakeOrders.PENDING));

    // when
    Answer answer = probe.post(ORDER + command, OFFICE);

    // then
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().getString("order_token")).isEqualTo(FakeOrders.TOKEN.value());
  }

  @ParameterizedTest
  @CsvSource({
    "/cancel,ALREADY_CONFIRMED,already-confirmed",
    "/cancel,ALREADY_REFUNDED,already-refunded",
    "/cancel,ORDER_ENDED,order-ended",
    "/confirm,PAYMENT_LATE,payment-late",
    "/confirm,ALREADY_REFUNDED,already-refunded",
    "/refund,NOT_CONFIRMED,not-confirmed",
  })
  void shouldAnswer409WhenTheCommandLost(
      String command, CommandAnswer.ConflictType conflict, String problem) {
    // given
    fixture.orders.commanded =
        Future.succeededFuture(new CommandAnswer.Conflict(conflict, FakeOrders.PENDING));

    // when
    Answer answer = probe.post(ORDER + command, OFFICE);

    // then
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo(problem);
    assertThat(answer.json().getString("detail")).startsWith("Expected ");
  }

  static Stream<Arguments> unanswered() {
    return Stream.of(
        Arguments.of(new OrderAnswer.Unknown(), new CommandAnswer.Unknown(), 404, "unknown-order"),
        Arguments.of(new OrderAnswer.NotNow(true), new CommandAnswer.NotNow(true), 503, "busy"),
        Arguments.of(
            new OrderAnswer.NotNow(false), new CommandAnswer.NotNow(false), 503, "unavailable"));
  }

  @ParameterizedTest
  @MethodSource("unanswered")
  void shouldAnswerItsProblemWhenTheOrderIsNotToBeHad(
      OrderAnswer found, CommandAnswer commanded, int status, String problem) {
    // given
    fixture.orders.found = Future.succeededFuture(found);
    fixture.orders.commanded = Future.succeededFuture(commanded);

    // when
    Stream<Answer> answers =
        Stream.of(
            probe.get(ORDER, OFFICE),
            probe.get(ORDER + "?wait=1", OFFICE),
            probe.post(ORDER + "/cancel", OFFICE),
            probe.post(ORDER + "/confirm", OFFICE),
            probe.post(ORDER + "/refund", OFFICE));

    // then
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).isEqualTo(status);
              assertThat(answer.problem()).isEqualTo(problem);
              assertThat(answer.header("retry-after") != null).isEqualTo(status == 503);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "1001",
        "1001.0",
        "1001.0.short",
        "1001.256.AAAAAAAAAAAAAAAAAAAAAA",
        "1001.-1.AAAAAAAAAAAAAAAAAAAAAA",
        "0.0.AAAAAAAAAAAAAAAAAAAAAA",
        "9223372036854775808.0.AAAAAAAAAAAAAAAAAAAAAA",
        "1001.0.AAAAAAAAAAAAAAAAAAAAA%2F",
        "1001.0.AAAAAAAAAAAAAAAAAAAAAAA",
        "1001.00.AAAAAAAAAAAAAAAAAAAAAA",
      })
  void shouldAnswer404WithoutAskingWhenNoTokenCanBeSpelledSo(String token) {
    // when
    Stream<Answer> answers =
        Stream.of(
            probe.get("/v1/orders/" + token, ALICE),
            probe.post("/v1/orders/" + token + "/cancel", ALICE),
            probe.post("/v1/orders/" + token + "/confirm", OFFICE),
            probe.post("/v1/orders/" + token + "/refund", OFFICE));

    // then
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).isEqualTo(404);
              assertThat(answer.problem()).isEqualTo("unknown-order");
            });
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0,find", "1,wait 1", "30,wait 30"})
  void shouldWaitAsLongAsAskedWhenInRange(String wait, String asked) {
    // when
    Answer answer = probe.get(ORDER + "?wait=" + wait, ALICE);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(fixture.orders.asked).containsExactly(asked + " " + FakeOrders.TOKEN + " alice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "31", "1.5", "x", "99999999999999999999", "1&wait=2", "+1"})
  void shouldAnswer400WhenTheWaitIsWrong(String wait) throws Exception {
    // when: no HTTP client would send some of these
    String answer =
        probe.raw(
            "GET "
                + ORDER
                + "?wait="
                + wait
                + " HTTP/1.1\r\nHost: x\r\nX-User-Id: alice\r\nConnection: close\r\n\r\n");

    // then
    assertThat(answer)
        .startsWith("HTTP/1.1 400 ")
        .contains("application/problem+json")
        .contains("\"field\":\"wait\"");
    assertThat(fixture.orders.asked).isEmpty();
  }

  @Test
  void shouldIgnoreContentTypeWhenTheCallDocumentsNoBody() {
    // when
    Answer command =
        probe.send(
            "POST",
            ORDER + "/cancel",
            BodyPublishers.noBody(),
            "X-User-Id",
            "alice",
            "Content-Type",
            "text/plain");
    Answer withEmptyObject = probe.json("POST", ORDER + "/cancel", " {}", ALICE);

    // then
    assertThat(command.status()).isEqualTo(200);
    assertThat(withEmptyObject.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"qty=1", "[]", "1", "{", "{}{}"})
  void shouldRefuseAnythingInTheBodyWhenTheCallDocumentsNone(String body) {
    // when
    Answer small = probe.send("POST", ORDER + "/cancel", BodyPublishers.ofString(body), ALICE);
    Answer large =
        probe.send("POST", ORDER + "/cancel", BodyPublishers.ofString(body.repeat(50_000)), ALICE);
    Answer next = probe.get(ORDER, ALICE);

    // then
    assertThat(small.status()).isEqualTo(400);
    assertThat(small.field()).isEqualTo("body");
    assertThat(large.status()).isEqualTo(400);
    assertThat(large.field()).isEqualTo("body");
    assertThat(next.status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "POST,/v1/orders/t,'GET, HEAD, OPTIONS'",
    "DELETE,/v1/orders/t,'GET, HEAD, OPTIONS'",
    "GET,/v1/orders/t/cancel,'POST, OPTIONS'",
    "GET,/v1/orders/t/confirm,'POST, OPTIONS'",
    "PUT,/v1/orders/t/refund,'POST, OPTIONS'",
    "POST,/v1/skus/1,'GET, HEAD, OPTIONS'",
  })
  void shouldAnswer405WithAllowWhenTheMethodIsAnother(String method, String path, String allow) {
    // when: the caller is not identified either, but 404 and 405 come first
    Answer answer = probe.send(method, path, BodyPublishers.noBody());

    // then
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.problem()).isEqualTo("method-not-allowed");
    assertThat(answer.header("allow")).isEqualTo(allow);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/v1", "/v1/orders/t/pay", "/v1/orders/t/cancel/x", "/v2/orders", "/admin"})
  void shouldAnswer404WhenThereIsNoSuchPath(String path) {
    // when: the caller is not identified either, but this comes first
    Answer answer = probe.get(path);

    // then
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.problem()).isEqualTo("not-found");
  }
}
