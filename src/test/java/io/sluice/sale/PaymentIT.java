package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a shop tells of an order: its payment, more time to pay, refunds in parts. */
class PaymentIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static JsonObject paid(String ref) {
    return new JsonObject().put("payment_ref", ref);
  }

  private static JsonObject refund(String id, int qty) {
    return new JsonObject().put("refund_id", id).put("qty", qty);
  }

  @Test
  void shouldHoldTheUnitForTheNewTimeWhenExtended() {
    // given
    Sale sale = site.sale().withStock(1).withPaymentWindow(Duration.ofSeconds(2)).open();
    String token = sale.order(ALICE).token();

    // when
    Answer extended = sale.tell(token, "/extend", new JsonObject().put("seconds", 5));

    // then
    assertThat(extended.brief()).isEqualTo("200 PENDING");
    await()
        .during(Duration.ofSeconds(3))
        .atMost(Duration.ofSeconds(4))
        .until(() -> sale.status(ALICE, token).brief().equals("200 PENDING"));
    await().atMost(LIMIT).until(() -> sale.status(ALICE, token).brief().equals("200 CANCELED"));
    await().atMost(LIMIT).until(() -> sale.order(BOB).status() == 201);
  }

  @Test
  void shouldSellWhatWasRefundedInPart() {
    // given
    Sale sale = site.sale().withStock(3).open();
    String token = sale.order(ALICE, "", 3).token();
    sale.tell(token, "/confirm", paid("p1"));

    // when
    Answer requested = sale.tell(token, "/refunds", refund("r1", 1));
    Answer tooMuch = sale.tell(token, "/refunds", refund("r2", 3));
    Answer soldOut = sale.order(BOB);
    Answer completed = sale.tell(token, "/refunds/r1/complete", null);

    // then
    assertThat(requested.json().getJsonObject("refund").getString("state")).isEqualTo("REQUESTED");
    assertThat(tooMuch.brief()).isEqualTo("409 refund-exceeds");
    assertThat(soldOut.brief()).isEqualTo("409 sold-out");
    assertThat(completed.brief()).isEqualTo("200 CONFIRMED");
    assertThat(completed.json().getInteger("refunded_qty")).isEqualTo(1);
    await().atMost(LIMIT).until(() -> sale.order(BOB).status() == 201);
    assertThat(sale.order(ALICE, "", 3).brief()).isEqualTo("200 CONFIRMED");
  }

  /** Redis loads what is left of an order, not what was granted. */
  @Test
  void shouldOccupyWhatIsLeftWhenTheBucketIsRebuilt() {
    // given
    Sale sale = site.sale().withStock(3).open();
    String token = sale.order(ALICE, "", 3).token();
    sale.tell(token, "/confirm", paid("p1"));
    sale.tell(token, "/refunds", refund("r1", 1));
    sale.tell(token, "/refunds/r1/complete", null);

    // when
    Answer rebuilt = sale.rebuild();

    // then
    assertThat(rebuilt.status()).isEqualTo(200);
    await().atMost(LIMIT).until(() -> sale.order(BOB).status() == 201);
    assertThat(sale.tell(token, "/refund", null).brief()).isEqualTo("200 REFUNDED");
    assertThat(sale.ledger().sold()).isZero();
  }
}
