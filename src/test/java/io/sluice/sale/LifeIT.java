package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The life of an order after its grant: paid, extended, canceled, timed out, refunded. */
class LifeIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration WAIT = Duration.ofSeconds(20);

  @Test
  void shouldCancelWhenTheBuyerDoesNotWantIt() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();

    // when
    Answer canceled = sale.cancel(ALICE, token);
    Answer again = sale.cancel(ALICE, token);

    // then
    assertThat(canceled.brief()).isEqualTo("200 CANCELED");
    assertThat(canceled.json().getString("reason")).isEqualTo("BUYER");
    assertThat(again.brief()).isEqualTo("200 CANCELED");
    await().atMost(LIMIT).until(() -> sale.order(BOB).status() == 201);
  }

  @Test
  void shouldRefundOnceWhenConfirmed() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();

    // when
    Answer early = sale.refund(token);
    sale.pay(token);
    Answer refunded = sale.refund(token);
    Answer again = sale.refund(token);

    // then
    assertThat(early.brief()).isEqualTo("409 not-confirmed");
    assertThat(refunded.brief()).isEqualTo("200 REFUNDED");
    assertThat(again.brief()).isEqualTo("200 REFUNDED");
    assertThat(sale.pay(token).brief()).isEqualTo("409 already-refunded");
    assertThat(sale.cancel(ALICE, token).brief()).isEqualTo("409 already-refunded");
    await().atMost(LIMIT).until(() -> sale.order(BOB).status() == 201);
  }

  @Test
  void shouldReturnTheUnitWhenNobodyPaysInTime() {
    // given
    Sale sale = site.sale().withStock(1).withPaymentWindow(Duration.ofSeconds(1)).open();
    String token = sale.order(ALICE).token();

    // when
    Answer ended =
        await()
            .atMost(LIMIT)
            .until(() -> sale.status(ALICE, token), seen -> seen.brief().equals("200 CANCELED"));

    // then
    assertThat(ended.json().getString("reason")).isEqualTo("TIMEOUT");
    await().atMost(LIMIT).until(() -> sale.order(BOB).status() == 201);
    assertThat(site.instances().stream().map(instance -> MetricsPage.of(site, instance).text()))
        .as("the lag is measured by the partition's owner")
        .anyMatch(text -> text.contains("sluice_timeout_lag_seconds_count"));
  }

  @Test
  void shouldSayPaymentLateOnceWhenTheHoldHasEnded() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();
    sale.cancel(ALICE, token);

    // when
    Answer late = sale.pay(token);
    Answer again = sale.pay(token);

    // then
    assertThat(late.brief()).isEqualTo("409 payment-late");
    assertThat(again.brief()).isEqualTo("409 payment-late");
    assertThat(sale.status(ALICE, token).brief()).isEqualTo("200 CANCELED");
    assertThat(sale.refund(token).brief()).isEqualTo("409 not-confirmed");
    await().atMost(LIMIT).until(() -> new OrderEvents(site).count(token, "PAYMENT_LATE") == 1);
  }

  @Test
  void shouldHideTheOrderFromStrangers() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();

    // when
    Answer stranger = sale.status(BOB, token);
    Answer canceled = sale.cancel(BOB, token);
    Answer owner = sale.status(ALICE, token);
    Answer backOffice = sale.status(token);

    // then
    assertThat(stranger.brief()).isEqualTo("404 unknown-order");
    assertThat(canceled.brief()).isEqualTo("404 unknown-order");
    assertThat(owner.brief()).isIn("200 RESERVED", "200 PENDING");
    assertThat(backOffice.brief()).isIn("200 RESERVED", "200 PENDING");
    assertThat(backOffice.json().fieldNames())
        .containsExactlyInAnyOrder(
            "order_token",
            "sku_id",
            "qty",
            "seq",
            "status",
            "reason",
            "pay_before",
            "created_at",
            "updated_at");
  }

  @Test
  void shouldAnswerAWaiterAsSoonAsTheStatusChanges() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();
    awaitPending(sale, token);

    // when
    Future<Answer> here = sale.at(site.instance(0)).statusChanging(ALICE, token, WAIT);
    Future<Answer> there = sale.at(site.instance(1)).statusChanging(ALICE, token, WAIT);
    await().atMost(LIMIT).until(() -> MetricsPage.hasWaiter(site, site.instance(0)));
    await().atMost(LIMIT).until(() -> MetricsPage.hasWaiter(site, site.instance(1)));
    Answer paid = sale.pay(token);

    // then
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    for (Answer answer : new Answer[] {answer(here), answer(there)}) {
      assertThat(answer.brief()).isEqualTo("200 CONFIRMED");
      assertThat(answer.took()).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void shouldAnswerAWaiterAfterItsTimeWhenNothingChanges() {
    // given
    Sale sale = site.sale().withStock(1).open();
    String token = sale.order(ALICE).token();
    awaitPending(sale, token);

    // when
    Answer answer = answer(sale.statusChanging(ALICE, token, Duration.ofSeconds(1)));

    // then
    assertThat(answer.brief()).isEqualTo("200 PENDING");
    assertThat(answer.took()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(4));
  }

  @Test
  void shouldTellListenersTheWholeLifeInOrder() {
    // given
    Sale sale = site.sale().withStock(3).withPaymentWindow(Duration.ofSeconds(2)).open();
    String timedOut = sale.order(ALICE, "never-paid").token();
    String refunded = sale.order(ALICE, "refunded").token();
    String canceled = sale.order(ALICE, "canceled").token();

    // when
    sale.pay(refunded);
    sale.refund(refunded);
    sale.cancel(ALICE, canceled);

    // then
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              var events = new OrderEvents(site);
              assertThat(events.statuses(refunded))
                  .containsExactly("PENDING", "CONFIRMED", "REFUNDED");
              assertThat(events.statuses(canceled)).containsExactly("PENDING", "CANCELED");
              assertThat(events.statuses(timedOut)).containsExactly("PENDING", "CANCELED");
              assertThat(events.versions(refunded)).isSorted().doesNotHaveDuplicates();
            });
  }

  private static void awaitPending(Sale sale, String token) {
    await().atMost(LIMIT).until(() -> sale.status(ALICE, token).brief().equals("200 PENDING"));
  }

  private static Answer answer(Future<Answer> answer) {
    try {
      return answer.await(WAIT.toSeconds() * 2, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the waiting request does not end", e);
    }
  }

  @Test
  void shouldHoldTheUnitForTheNewTimeWhenExtended() {
    // given
    Sale sale = site.sale().withStock(1).withPaymentWindow(Duration.ofSeconds(3)).open();
    String token = sale.order(ALICE).token();

    // when
    Answer extended = sale.tell(token, "/extend", new JsonObject().put("seconds", 10));

    // then
    assertThat(extended.brief()).isEqualTo("200 PENDING");
    await()
        .during(Duration.ofSeconds(4))
        .atMost(Duration.ofSeconds(8))
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

  private static JsonObject paid(String ref) {
    return new JsonObject().put("payment_ref", ref);
  }

  private static JsonObject refund(String id, int qty) {
    return new JsonObject().put("refund_id", id).put("qty", qty);
  }
}
