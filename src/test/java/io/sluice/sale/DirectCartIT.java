package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders of several SKUs of a service of two instances and a database: no Redis, no Kafka. */
class DirectCartIT {
  @RegisterExtension static final SaleSite site = LedgerAlone.newSite();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int UNITS = 60;
  private static final int BUYERS = 150;

  private final LedgerAlone service = new LedgerAlone(site);

  private static CartSale open(int skus, JsonObject terms, JsonObject more) {
    return CartSale.open(site, skus, terms.put("mode", "direct"), more);
  }

  private static JsonObject units(int units) {
    return new JsonObject().put("total_stock", units);
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
}
