package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a shop tells of an order: its payment, more time, refunds in parts. */
class PaymentApiTest {
  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;

  private final HttpProbe probe = fixture.probe;

  private Answer post(String path, String body) {
    return probe.json("POST", ORDER + path, body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"payment_ref\":\"pay-1\"}|confirm pay-1",
        "{}|confirm",
      })
  void shouldPassThePaymentOnWhenThereIsOne(String body, String asked) {
    // when
    Answer answer = post("/confirm", body);

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(fixture.orders.asked).containsExactly(asked + " " + FakeOrders.TOKEN + " all");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/confirm|{\"payment_ref\":\"\"}|payment_ref",
        "/confirm|{\"payment_ref\":\"a b\"}|payment_ref",
        "/confirm|{\"payment_ref\":null}|payment_ref",
        "/confirm|{\"ref\":\"p\"}|ref",
        "/confirm|[]|body",
        "/extend|{}|seconds",
        "/extend|{\"seconds\":0}|seconds",
        "/extend|{\"seconds\":86401}|seconds",
        "/extend|{\"seconds\":\"1\"}|seconds",
        "/refunds|{\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"r1\"}|qty",
        "/refunds|{\"refund_id\":\"\",\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"a b\",\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"r1\",\"qty\":0}|qty",
        "/refunds|{\"refund_id\":\"r1\",\"qty\":1001}|qty",
      })
  void shouldAnswer400WithTheFieldWhenTheBodyIsWrong(String path, String body, String field) {
    // when
    Answer answer = post(path, body);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo(field);
    assertThat(fixture.orders.asked).isEmpty();
  }

  @Test
  void shouldAnswer400WhenThePaymentIsTooLong() {
    // when
    Answer longest = post("/confirm", "{\"payment_ref\":\"" + "p".repeat(128) + "\"}");
    Answer tooLong = post("/confirm", "{\"payment_ref\":\"" + "p".repeat(129) + "\"}");

    // then
    assertThat(longest.status()).isEqualTo(200);
    assertThat(tooLong.status()).isEqualTo(400);
  }

  @Test
  void shouldAnswer415WhenTheBodyIsNotJson() {
    // when
    Answer answer =
        probe.send(
            "POST",
            ORDER + "/confirm",
            BodyPublishers.ofString("payment_ref=p"),
            "Content-Type",
            "application/x-www-form-urlencoded");

    // then
    assertThat(answer.status()).isEqualTo(415);
    assertThat(fixture.orders.asked).isEmpty();
  }

  @Test
  void shouldShowTheOrderWhenItWasPaidBefore() {
    // given
    Order paid = FakeOrders.PENDING.paid("first", 1795248000300L);
    fixture.orders.commanded =
        Future.succeededFuture(new CommandAnswer.Conflict(ConflictType.ALREADY_CONFIRMED, paid));

    // when
    Answer answer = post("/confirm", "{\"payment_ref\":\"second\"}");

    // then
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo("already-confirmed");
    JsonObject order = answer.json().getJsonObject("order");
    assertThat(order.getString("order_token")).isEqualTo(FakeOrders.TOKEN.value());
    assertThat(order.getString("payment_ref")).isEqualTo("first");
  }

  @Test
  void shouldExtendByTheSeconds() {
    // when
    Answer answer = post("/extend", "{\"seconds\":600}");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(fixture.orders.asked).containsExactly("extend 600 " + FakeOrders.TOKEN + " all");
  }

  @Test
  void shouldShowTheRefundWithTheOrder() {
    // given
    Order confirmed = FakeOrders.PENDING.changed(OrderStatus.CONFIRMED, null, 1795248000300L);
    Refund refund = new Refund("r:1", 1, Refund.State.REQUESTED);
    fixture.orders.commanded =
        Future.succeededFuture(
            new CommandAnswer.Done(
                confirmed.noted(confirmed.notes().with(refund), 1795248000400L)));

    // when
    Answer answer = post("/refunds", "{\"refund_id\":\"r:1\",\"qty\":1}");

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getString("status")).isEqualTo("CONFIRMED");
    assertThat(answer.json().getJsonObject("refund"))
        .isEqualTo(
            new JsonObject().put("refund_id", "r:1").put("qty", 1).put("state", "REQUESTED"));
    assertThat(fixture.orders.asked)
        .containsExactly("refund REQUEST r:1 1 " + FakeOrders.TOKEN + " all");
  }

  @ParameterizedTest
  @CsvSource({
    "/refunds/r1/complete,REFUND_ENDED,409,refund-ended",
    "/refunds/r1/reject,UNKNOWN_REFUND,404,unknown-refund",
    "/refunds/r1/complete,NOT_CONFIRMED,409,not-confirmed",
  })
  void shouldAnswerItsProblemWhenTheRefundIsNotToBeEnded(
      String path, ConflictType conflict, int status, String problem) {
    // given
    fixture.orders.commanded =
        Future.succeededFuture(new CommandAnswer.Conflict(conflict, FakeOrders.PENDING));

    // when
    Answer answer = probe.post(ORDER + path);

    // then
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo(problem);
  }

  @Test
  void shouldBeUnknownWhenTheIdIsNone() {
    // when
    Answer answer = probe.post(ORDER + "/refunds/a%20b/complete");

    // then
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.problem()).isEqualTo("unknown-refund");
    assertThat(fixture.orders.asked).isEmpty();
  }
}
