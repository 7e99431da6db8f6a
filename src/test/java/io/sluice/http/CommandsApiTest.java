package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Limits;
import io.sluice.order.CommandAnswer;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several commands in one call: each has the answer of its own call, and a bad one spoils none. */
class CommandsApiTest {
  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  private static final String CONFIRM = item("confirm", "");
  private static final String CANCEL = item("cancel", "");

  private final HttpProbe probe = fixture.probe;

  private static String item(String command, String more) {
    return "{\"order_token\":\"%s\",\"command\":\"%s\"%s}"
        .formatted(FakeOrders.TOKEN, command, more);
  }

  private Answer post(String... items) {
    return body("{\"commands\":[%s]}".formatted(String.join(",", items)));
  }

  private Answer body(String body) {
    return probe.json("POST", "/v1/orders/commands", body);
  }

  private static JsonObject result(Answer answer, int place) {
    return answer.json().getJsonArray("results").getJsonObject(place);
  }

  @Test
  void shouldAskForEachCommandWithItsFields() {
    // when
    Answer answer =
        post(
            item("confirm", ",\"payment_ref\":\"pay-1\""),
            CONFIRM,
            item("extend", ",\"seconds\":600"),
            CANCEL,
            item("refund", ""),
            item("refund", ",\"restock\":true"),
            item("refund", ",\"restock\":false"));

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getJsonArray("results")).hasSize(7);
    assertThat(fixture.orders.asked)
        .containsExactlyElementsOf(
            Stream.of(
                    "confirm pay-1",
                    "confirm",
                    "extend 600",
                    "cancel OPERATOR",
                    "refund",
                    "refund",
                    "refund without restock")
                .map(text -> text + " " + FakeOrders.TOKEN + " in a list")
                .toList());
  }

  @Test
  void shouldAnswerOrdersAndProblemsAsTheSingleCallDoes() {
    // given
    fixture.orders.commanded =
        Future.succeededFuture(
            new CommandAnswer.Conflict(
                CommandAnswer.ConflictType.ALREADY_CONFIRMED, FakeOrders.PENDING));
    String named = "{\"payment_ref\":\"p\"}";
    Answer single = probe.json("POST", "/v1/orders/" + FakeOrders.TOKEN + "/confirm", named);

    // when
    Answer answer = post(item("confirm", ",\"payment_ref\":\"p\""));

    // then
    assertThat(result(answer, 0))
        .isEqualTo(new JsonObject().put("status", 409).put("problem", single.json()));
    assertThat(single.json().containsKey("order")).isTrue();
  }

  /** A command with a fault is answered in its place; the field is that of its own call. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|400|order_token",
        "{\"order_token\":7}|400|order_token",
        "{\"order_token\":{\"a\":7},\"command\":\"confirm\"}|400|order_token",
        "{\"order_token\":\"1.0.AAAAAAAAAAAAAAAAAAAAAA\"}|400|command",
        "{\"order_token\":\"1.0.AAAAAAAAAAAAAAAAAAAAAA\",\"command\":\"pay\"}|400|command",
        "{\"order_token\":\"1.0.AAAAAAAAAAAAAAAAAAAAAA\",\"command\":null}|400|command",
        "{\"order_token\":\"none\",\"command\":\"confirm\"}|404|",
        "{\"order_token\":\"\",\"command\":\"confirm\"}|404|",
        "{\"order_token\":\"a\",\"order_token\":\"b\",\"command\":\"confirm\"}|400|order_token",
        "{\"order_token\":\"a\",\"command\":\"confirm\",\"qty\":1}|400|qty",
        "{\"order_token\":\"a\",\"command\":\"confirm\",\"payment_ref\":\"\"}|400|payment_ref",
        "{\"order_token\":\"a\",\"command\":\"confirm\",\"payment_ref\":\"a b\"}|400|payment_ref",
        "{\"order_token\":\"a\",\"command\":\"confirm\",\"seconds\":5}|400|seconds",
        "{\"order_token\":\"a\",\"command\":\"extend\"}|400|seconds",
        "{\"order_token\":\"a\",\"command\":\"extend\",\"seconds\":0}|400|seconds",
        "{\"order_token\":\"a\",\"command\":\"extend\",\"seconds\":86401}|400|seconds",
        "{\"order_token\":\"a\",\"command\":\"extend\",\"seconds\":5,\"payment_ref\":\"p\"}|400|payment_ref",
        "{\"order_token\":\"a\",\"command\":\"cancel\",\"payment_ref\":\"p\"}|400|payment_ref",
        "{\"order_token\":\"a\",\"command\":\"refund\",\"seconds\":5}|400|seconds",
        "{\"order_token\":\"a\",\"command\":\"refund\",\"restock\":\"no\"}|400|restock",
        "{\"order_token\":\"a\",\"command\":\"cancel\",\"restock\":false}|400|restock",
      })
  void shouldAnswerAFaultInItsPlaceAndRunTheOthers(String wrong, int status, String field) {
    // when
    Answer answer = post(CONFIRM, wrong, CANCEL);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(result(answer, 0).getInteger("status")).isEqualTo(200);
    assertThat(result(answer, 1).getInteger("status")).isEqualTo(status);
    assertThat(result(answer, 1).getJsonObject("problem").getString("field")).isEqualTo(field);
    assertThat(result(answer, 2).getInteger("status")).isEqualTo(200);
    assertThat(fixture.orders.asked).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|commands",
        "{\"commands\":[]}|commands",
        "{\"commands\":{}}|commands",
        "{\"commands\":null}|commands",
        "{\"commands\":[1]}|commands[0]",
        "{\"commands\":[{\"order_token\":\"a\"},\"b\"]}|commands[1]",
        "{\"commands\":[{\"order_token\":}]}|order_token",
        "{\"commands\":[{\"order_token\":7}|body",
        "{\"commands\":[{}]}{}|body",
        "{\"commands\":[{}],\"more\":1}|more",
        "[]|body",
      })
  void shouldAnswer400WhenTheBodyIsNoList(String body, String field) {
    // when
    Answer answer = body(body);

    // then
    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo(field);
    assertThat(fixture.orders.asked).isEmpty();
  }

  @Test
  void shouldTakeTheLongestListAndNoLonger() {
    // given
    String longest = item("confirm", ",\"payment_ref\":\"" + "p".repeat(128) + "\"");

    // when
    Answer most = post(Collections.nCopies(Limits.COMMANDS_MAX, longest).toArray(String[]::new));
    Answer tooMany =
        post(Collections.nCopies(Limits.COMMANDS_MAX + 1, CONFIRM).toArray(String[]::new));

    // then
    assertThat(most.json().getJsonArray("results")).hasSize(Limits.COMMANDS_MAX);
    assertThat(tooMany.status()).isEqualTo(400);
    assertThat(tooMany.field()).isEqualTo("commands");
    assertThat(fixture.orders.asked).hasSize(Limits.COMMANDS_MAX);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldBe503AsAWholeWhenNothingWasSent(boolean busy) {
    // given
    fixture.orders.sent = false;
    fixture.orders.commanded = Future.succeededFuture(new CommandAnswer.NotNow(busy));

    // when
    Answer answer = post(CONFIRM, CANCEL);

    // then
    assertThat(answer.problem()).isEqualTo(busy ? "busy" : "unavailable");
    assertThat(answer.header("retry-after")).isNotNull();
  }

  @Test
  void shouldAnswerEachWhenOneWasSentOrHasAFault() {
    // given
    fixture.orders.commanded = Future.succeededFuture(new CommandAnswer.NotNow(false));

    // when
    Answer sent = post(CONFIRM, CANCEL);
    fixture.orders.sent = false;
    Answer wrong = post(CONFIRM, "{}");

    // then
    JsonArray each = sent.json().getJsonArray("results");
    assertThat(each).hasSize(2);
    assertThat(result(sent, 1).getInteger("status")).isEqualTo(503);
    assertThat(result(sent, 1).getInteger("retry_after_s")).isEqualTo(2);
    assertThat(result(sent, 1).getJsonObject("problem").getString("type"))
        .isEqualTo("/problems/unavailable");
    assertThat(result(wrong, 0).getInteger("status")).isEqualTo(503);
    assertThat(result(wrong, 1).getInteger("status")).isEqualTo(400);
  }

  /** Its path could be that of an order whose token is a word. */
  @Test
  void shouldNotBeTakenForAnOrder() {
    // when
    Answer answer = probe.get("/v1/orders/commands");

    // then
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.header("allow")).isEqualTo("POST, OPTIONS");
  }
}
