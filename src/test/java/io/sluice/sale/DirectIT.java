package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders of a service of two instances and a database: no Redis, no Kafka. */
class DirectIT {
  @RegisterExtension static final SaleSite site = LedgerAlone.newSite();

  private static final Duration LIMIT = Duration.ofSeconds(60);
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
  void shouldAnswerRepeatedRequestsWhenAnInstanceDiesInTheMiddle() {
    // given
    Sale sale = site.sale().withStock(2_000).withBuckets(2).direct().open();
    SluiceProcess dying = site.newInstance(Map.of()).start().awaitReady();
    Future<List<Answer>> selling = site.crowd(32).start(service.orders(sale.at(dying), 1_500));
    await().atMost(LIMIT).until(() -> sale.ledger().held() > 100);

    // when
    dying.kill();
    List<Answer> first = Crowd.await(selling);
    List<Answer> again = site.crowd(32).send(service.orders(sale, 1_500));

    // then
    assertThat(first).anyMatch(answer -> !answer.came());
    assertThat(again).allMatch(Answer::isYes);
    assertThat(sale.ledger().held()).isEqualTo(1_500);
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i).isYes()) {
        assertThat(again.get(i).token()).isEqualTo(first.get(i).token());
      }
    }
  }
}
