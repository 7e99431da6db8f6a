package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.Future;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a shop tells of an order: its payment, more time, refunds in parts. */
class PaymentApiTest {
  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;

  private static final long MINUTE_LATER = 1795248060000L;

  private final HttpProbe probe = fixture.probe;

  private Answer post(String path, String body) {
    return probe.json("POST", ORDER + path, body);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/confirm|{\"payment_ref\":\"pay-1\"}|confirm pay-1",
        "/confirm|{}|confirm",
        "/extend|{\"seconds\":600}|extend 600",
        "/refunds|{\"refund_id\":\"r:1\",\"qty\":2}|refund REQUEST r:1 2",
        "/refunds/r:1/complete|{}|refund COMPLETE r:1 0",
        "/refunds/r:1/complete|{\"restock\":true}|refund COMPLETE r:1 0",
        "/refunds/r:1/complete|{\"restock\":false}|refund COMPLETE r:1 0 without restock",
        "/refunds/r:1/reject|{}|refund REJECT r:1 0",
        "/refund|{}|refund",
        "/refund|{\"restock\":true}|refund",
        "/refund|{\"restock\":false}|refund without restock",
      })
  void shouldAskForWhatTheShopTells(String path, String body, String asked) {
    // when
    Answer answer = post(path, body);

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
        "/confirm|{\"payment_ref\":7}|payment_ref",
        "/confirm|{\"payment_ref\":\"\u00e9\"}|payment_ref",
        "/confirm|{|body",
        "/confirm|{}{}|body",
        "/confirm|{\"ref\":\"p\"}|ref",
        "/confirm|[]|body",
        "/extend|{}|seconds",
        "/extend|null|body",
        "/extend|{\"seconds\":null}|seconds",
        "/extend|{\"seconds\":1.5}|seconds",
        "/extend|{\"seconds\":-1}|seconds",
        "/extend|{\"seconds\":0}|seconds",
        "/extend|{\"seconds\":86401}|seconds",
        "/extend|{\"seconds\":\"1\"}|seconds",
        "/refunds|7|body",
        "/refunds|{\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"r1\"}|qty",
        "/refunds|{\"refund_id\":\"\",\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"a b\",\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"a/b\",\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"\u00e9\",\"qty\":1}|refund_id",
        "/refunds|{\"refund_id\":\"r1\",\"qty\":-1}|qty",
        "/refunds|{\"refund_id\":\"r1\",\"qty\":0}|qty",
        "/refunds|{\"refund_id\":\"r1\",\"qty\":1001}|qty",
        "/refunds|{\"refund_id\":\"r1\",\"qty\":1,\"restock\":false}|restock",
        "/refund|{\"restock\":\"false\"}|restock",
        "/refund|{\"restock\":0}|restock",
        "/refund|{\"restock\":null}|restock",
        "/refund|{\"restock\":false,\"restock\":true}|restock",
        "/refund|{\"qty\":1}|qty",
        "/refund|[]|body",
        "/refunds/r1/complete|{\"restock\":[]}|restock",
        "/refunds/r1/complete|{\"qty\":1}|qty",
        "/refunds/r1/reject|{\"restock\":false}|restock",
      })
  void shouldAnswer400WithTheFieldWhenTheBodyIsWrong(String path, String body, String field) {
    // when
    Answer answer = post(path, body);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo(field);
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/confirm|{\"payment_ref\":\"X\"}|128",
        "/refunds|{\"refund_id\":\"X\",\"qty\":1}|48",
      })
  void shouldTakeTheLongestNameAndNoLonger(String path, String body, int max) {
    // when
    Answer longest = post(path, body.replace("X", "aZ0_.:-".repeat(19).substring(0, max)));
    Answer tooLong = post(path, body.replace("X", "p".repeat(max + 1)));

    // then
    assertThat(longest.status()).isEqualTo(200);
    assertThat(tooLong.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "ALREADY_CONFIRMED, CONFIRMED, pay-1, true",
    "ALREADY_REFUNDED, REFUNDED, pay-0, false",
    "ALREADY_REFUNDED, REFUNDED, pay-1, true",
    "PAYMENT_LATE, CANCELED, pay-0, true",
    "ARCHIVED, CONFIRMED, pay-0, false",
    "ARCHIVED, CONFIRMED, pay-1, true",
  })
  void shouldNameThePaymentToReturnWhenTheOrderDoesNotCountIt(
      ConflictType type, OrderStatus status, String paymentRef, boolean returned) {
    // given
    Order order =
        FakeOrders.PENDING.paid("pay-0", MINUTE_LATER).changed(status, null, MINUTE_LATER);
    fixture.orders.commanded = Future.succeededFuture(new CommandAnswer.Conflict(type, order));

    // when
    Answer answer = post("/confirm", "{\"payment_ref\":\"" + paymentRef + "\"}");

    // then
    assertThat(answer.problem()).isEqualTo(type.type().word());
    assertThat(answer.json().getJsonObject("order").getString("payment_ref")).isEqualTo("pay-0");
    assertThat(answer.json().getString("payment_to_return"))
        .isEqualTo(returned ? paymentRef : null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/extend", "/refunds"})
  void shouldAnswer415WhenThereIsNoBody(String path) {
    assertThat(probe.post(ORDER + path).problem()).isEqualTo("unsupported-media-type");
    assertThat(fixture.orders.asked).isEmpty();
  }

  /** An older instance would put the units back on sale. */
  @ParameterizedTest
  @ValueSource(strings = {"/refund", "/refunds/r1/complete"})
  void shouldSayWhatToDoWhenAnOlderInstanceMayRun(String path) {
    // given
    fixture.orders.commanded = Future.succeededFuture(new CommandAnswer.NotYet());

    // when
    Answer answer = post(path, "{\"restock\":false}");

    // then
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("busy");
    assertThat(answer.json().getString("detail")).contains("restock: false", "upgrade or end it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a%20b", "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr"})
  void shouldBeUnknownWhenTheIdIsNone(String id) {
    assertThat(probe.post(ORDER + "/refunds/" + id + "/complete").problem())
        .isEqualTo("unknown-refund");
    assertThat(fixture.orders.asked).isEmpty();
  }
}
