package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.webhook.WebhookReceiver;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders of a service of two instances and a database: no Redis, no Kafka. */
class DirectIT {
  @RegisterExtension static final SaleSite site = LedgerAlone.newSite();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int UNITS = 60;
  private static final int BUYERS = 150;
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final LedgerAlone service = new LedgerAlone(site);

  @Test
  void shouldLeadOrdersThroughTheirWholeLives() {
    // given
    Sale sale = site.sale().withStock(10).withLimit(4).direct().open();

    // when
    Answer first = sale.order(ALICE, "", 3);
    Answer again = sale.order(ALICE, "", 3);
    Answer other = sale.order(ALICE, "", 2);
    Answer over = sale.order(ALICE, "second", 2);
    String token = first.token();
    Answer seen = sale.status(ALICE, token);
    Answer hidden = sale.status(BOB, token);
    Answer extended = sale.tell(token, "/extend", new JsonObject().put("seconds", 7_200));
    Answer paid = sale.tell(token, "/confirm", new JsonObject().put("payment_ref", "p1"));
    Answer late = sale.cancel(ALICE, token);
    Answer asked =
        sale.tell(token, "/refunds", new JsonObject().put("refund_id", "r1").put("qty", 1));
    Answer part = sale.tell(token, "/refunds/r1/complete", null);
    Answer all = sale.refund(token);
    Answer soldNow = sale.order(BOB, "", 4);
    Answer canceled = sale.cancel(BOB, soldNow.token());
    Answer paidLate = sale.pay(soldNow.token());
    Answer ended = sale.order(BOB, "", 4);

    // then
    assertThat(first.brief()).isEqualTo("201 PENDING");
    assertThat(again.brief()).isEqualTo("200 PENDING");
    assertThat(again.token()).isEqualTo(token);
    assertThat(other.brief()).isEqualTo("409 key-mismatch");
    assertThat(over.brief()).isEqualTo("409 limit-reached");
    assertThat(seen.brief()).isEqualTo("200 PENDING");
    assertThat(hidden.brief()).isEqualTo("404 unknown-order");
    assertThat(extended.brief()).isEqualTo("200 PENDING");
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    assertThat(late.brief()).isEqualTo("409 already-confirmed");
    assertThat(asked.brief()).isEqualTo("200 CONFIRMED");
    assertThat(part.json().getInteger("refunded_qty")).isEqualTo(1);
    assertThat(all.brief()).isEqualTo("200 REFUNDED");
    assertThat(canceled.brief()).isEqualTo("200 CANCELED");
    assertThat(paidLate.brief()).isEqualTo("409 payment-late");
    assertThat(ended.brief()).isEqualTo("409 order-ended");
    assertThat(sale.ledger().available()).isEqualTo(10);
    assertThat(sale.story(token).json().getJsonArray("story")).isNotEmpty();
    assertThat(sale.look().json().getJsonObject("audit").getBoolean("agrees")).isTrue();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(service.eventsOf(token))
                    .containsExactly(
                        "ORDER_BOOKED",
                        "ORDER_EXTENDED",
                        "ORDER_CONFIRMED",
                        "REFUND_REQUESTED",
                        "REFUND_COMPLETED",
                        "ORDER_REFUNDED"));
  }

  @Test
  void shouldSellTheLastUnitsOnceWhenManyBuyersRace() {
    // given
    Sale sale = site.sale().withStock(100).withBuckets(8).direct().open();

    // when
    List<Answer> answers = site.crowd(64).send(service.orders(sale, 600));
    List<Answer> again = site.crowd(64).send(service.orders(sale, 600));

    // then
    assertThat(Crowd.tally(answers)).containsEntry("201 PENDING", 100L);
    assertThat(Crowd.tally(answers).keySet()).isSubsetOf("201 PENDING", "409 sold-out", "503 busy");
    assertThat(Crowd.tally(again))
        .containsEntry("200 PENDING", 100L)
        .containsEntry("409 sold-out", 500L);
    assertThat(sale.ledger().held()).isEqualTo(100);
    assertThat(sale.level().json().getString("level")).isEqualTo("SOLD_OUT");
  }

  @Test
  void shouldGiveOneOrderWhenTheSameRequestComesManyTimesAtOnce() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();
    List<Supplier<Future<Answer>>> same =
        IntStream.range(0, 200)
            .<Supplier<Future<Answer>>>mapToObj(i -> () -> sale.ordering(ALICE, "key", 2))
            .toList();

    // when
    List<Answer> answers = site.crowd(50).send(same);

    // then
    assertThat(answers).allMatch(Answer::isYes);
    assertThat(answers.stream().map(Answer::token).distinct()).hasSize(1);
    assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
    assertThat(sale.ledger().held()).isEqualTo(2);
  }

  @Test
  void shouldLetOneWinWhenPaymentAndCancelRace() {
    // given
    Sale sale = site.sale().withStock(40).direct().open();
    List<String> tokens =
        IntStream.range(0, 40)
            .mapToObj(i -> sale.order(Buyer.named("racer-" + i)).token())
            .toList();
    List<Supplier<Future<Answer>>> commands = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String token = tokens.get(i);
      Buyer buyer = Buyer.named("racer-" + i);
      commands.add(() -> sale.paying(token));
      commands.add(() -> sale.canceling(buyer, token));
    }

    // when
    List<Answer> answers = site.crowd(40).send(commands);

    // then
    for (int i = 0; i < 40; i++) {
      assertThat(List.of(answers.get(2 * i).brief(), answers.get(2 * i + 1).brief()))
          .isIn(
              List.of("200 CONFIRMED", "409 already-confirmed"),
              List.of("409 payment-late", "200 CANCELED"));
    }
  }

  @Test
  void shouldSellEveryUnitInWholeCartsThoughAnInstanceIsKilled() {
    // given
    CartSale sale = open(2, units(UNITS).put("buckets", 4), new JsonObject());
    JsonArray lines = sale.lines(0, 1, 1, 1);
    List<Supplier<Future<Answer>>> wishes =
        IntStream.range(0, BUYERS)
            .<Supplier<Future<Answer>>>mapToObj(
                i ->
                    () ->
                        Insistence.on(() -> sale.ordering(Buyer.named("buyer-" + i), "k1", lines)))
            .toList();

    // when
    Future<List<Answer>> ordering = site.crowd(16).start(wishes);
    await().atMost(LIMIT).until(() -> sale.sku(0).ledger().held() > UNITS / 6);
    site.instance(1).kill();
    List<Answer> answers = Crowd.await(ordering);
    site.instance(1).start().awaitReady();
    List<Answer> again = site.crowd(16).send(wishes);

    // then
    assertThat(again.stream().filter(Answer::isYes))
        .as("%s, then %s", Crowd.tally(answers), Crowd.tally(again))
        .hasSize(UNITS);
    assertThat(again.stream().filter(answer -> !answer.isYes()))
        .allMatch(answer -> answer.brief().equals("409 sold-out"))
        .allMatch(answer -> answer.json().getLong("sku_id").equals(sale.skuIds().get(0)));
    assertThat(answers.stream().filter(Answer::isYes).map(Answer::token))
        .isSubsetOf(again.stream().filter(Answer::isYes).map(Answer::token).toList());
    assertThat(List.of(sale.sku(0).ledger().held(), sale.sku(1).ledger().held()))
        .containsOnly((long) UNITS);
  }

  @Test
  void shouldGiveAllLinesBackWhenNobodyPaysInTime() {
    // given
    CartSale sale = open(3, units(5), new JsonObject().put("payment_window_s", 1));
    Buyer buyer = Buyer.named("late");

    // when
    Answer granted = sale.order(buyer, "k1", sale.lines(2, 1, 0, 2));
    String token = granted.token();
    await().atMost(LIMIT).until(() -> sale.sku(0).status(token).brief().equals("200 CANCELED"));
    Answer paid = sale.sku(0).pay(token);
    Answer again = sale.order(buyer, "k1", sale.lines(2, 1, 0, 2));

    // then
    assertThat(granted.brief()).isEqualTo("201 PENDING");
    assertThat(sale.sku(0).status(token).json().getString("reason")).isEqualTo("TIMEOUT");
    assertThat(paid.brief()).isEqualTo("409 payment-late");
    assertThat(again.brief()).isEqualTo("409 order-ended");
    assertThat(List.of(sale.sku(0).ledger().available(), sale.sku(2).ledger().available()))
        .containsOnly(5L);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(service.eventsOf(token))
                    .containsExactly("ORDER_BOOKED", "ORDER_CANCELED", "PAYMENT_LATE"));
  }

  @Test
  void shouldNameTheLineThatIsInTheWay() {
    // given
    CartSale sale = open(2, units(3), new JsonObject());
    sale.sku(1).close();

    // when
    Answer closed = sale.order(Buyer.named("ann"), "", sale.lines(0, 1, 1, 1));
    Answer alone = sale.sku(0).order(Buyer.named("ann"));
    Answer tooMany = sale.order(Buyer.named("bob"), "", sale.lines(0, 3, 1, 1));

    // then
    assertThat(closed.brief()).isEqualTo("409 not-open");
    assertThat(closed.json().getLong("sku_id")).isEqualTo(sale.skuIds().get(1));
    assertThat(alone.brief()).isEqualTo("201 PENDING");
    assertThat(tooMany.brief()).isEqualTo("409 sold-out");
    assertThat(tooMany.json().getLong("sku_id")).isEqualTo(sale.skuIds().get(0));
  }

  private static CartSale open(int skus, JsonObject terms, JsonObject more) {
    return CartSale.open(site, skus, terms.put("mode", "direct"), more);
  }

  private static JsonObject units(int units) {
    return new JsonObject().put("total_stock", units);
  }

  @Test
  void shouldSendEventsToAWebhookWithoutALog() {
    // given
    try (WebhookReceiver receiver = WebhookReceiver.start()) {
      service.put(
          "/admin/webhooks/shop",
          new JsonObject().put("url", receiver.url()).put("secret", WebhookReceiver.SECRET));
      Sale sale = site.sale().withStock(2).direct().open();

      // when
      String token = sale.order(ALICE).token();
      sale.pay(token);

      // then
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(receiver.typesOf(token))
                      .containsExactly("ORDER_BOOKED", "ORDER_CONFIRMED"));
      assertThat(receiver.faults()).isEmpty();
      assertThat(receiver.taken().toString()).doesNotContain("alice");
    } finally {
      site.desk("DELETE", "/admin/webhooks/shop");
    }
  }
}
