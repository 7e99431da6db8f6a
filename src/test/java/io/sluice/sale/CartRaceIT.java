package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Carts in races, on real servers: each ends as a whole, and no unit is sold twice. */
class CartRaceIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static JsonObject units(long units) {
    return new JsonObject().put("total_stock", units);
  }

  @Test
  void shouldSellEveryUnitOnceWhenCartsCrossEachOther() {
    // given
    int units = 60;
    CartSale sale = CartSale.open(site, 3, units);
    List<JsonArray> carts =
        List.of(
            sale.lines(0, 1, 1, 1),
            sale.lines(1, 1, 0, 1),
            sale.lines(1, 1, 2, 1),
            sale.lines(0, 2, 1, 1, 2, 1));
    List<Supplier<Future<Answer>>> requests = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Buyer buyer = Buyer.named("buyer-" + i);
      JsonArray lines = carts.get(i % carts.size());
      // Each buyer asks twice, at once.
      requests.add(() -> insisting(sale, buyer, lines, 100));
      requests.add(() -> insisting(sale, buyer, lines, 100));
      Sale alone = sale.sku(i % 3);
      requests.add(() -> insisting(() -> alone.ordering(buyer, "single", 1), 100));
    }

    // when
    List<Answer> answers = site.crowd(48).send(requests);

    // then
    assertThat(answers.stream().map(Answer::brief).collect(Collectors.toSet()))
        .isSubsetOf(Set.of("201 RESERVED", "200 RESERVED", "200 PENDING", "409 sold-out"));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(sale.sku(1).order(Buyer.named("last"), "k", 1).brief())
                    .isEqualTo("409 sold-out"));
    site.checkPromises();
    assertThat(sale.sku(1).ledger().held()).isEqualTo(units);
  }

  @Test
  void shouldLetOneWinWhenPaymentCancelAndTimeoutRace() {
    // given
    int count = 60;
    CartSale sale =
        CartSale.open(site, 2, units(count), new JsonObject().put("payment_window_s", 3));
    List<Buyer> buyers = Buyer.crowd(count);
    List<Answer> granted =
        site.crowd(32)
            .send(
                buyers.stream()
                    .<Supplier<Future<Answer>>>map(
                        buyer -> () -> sale.ordering(buyer, "k", sale.lines(0, 1, 1, 1)))
                    .toList());
    List<Supplier<Future<Answer>>> race = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String token = granted.get(i).token();
      Buyer buyer = buyers.get(i);
      race.add(() -> Insistence.on(() -> sale.sku(0).paying(token)));
      race.add(() -> Insistence.on(() -> sale.sku(0).canceling(buyer, token)));
      race.add(() -> Insistence.on(() -> sale.sku(0).paying(token)));
    }

    // when
    List<Answer> answers = site.crowd(32).send(race);

    // then
    assertThat(granted).extracting(Answer::status).containsOnly(201);
    for (int i = 0; i < count; i++) {
      Set<String> ofOne =
          answers.subList(3 * i, 3 * i + 3).stream().map(Answer::brief).collect(Collectors.toSet());
      assertThat(ofOne)
          .isIn(
              Set.of("200 CONFIRMED", "409 already-confirmed"),
              Set.of("409 payment-late", "200 CANCELED"));
    }
    site.checkPromises();
  }

  @Test
  void shouldKeepCartsWholeWhenABucketIsRebuiltMeanwhile() {
    // given
    CartSale sale = CartSale.open(site, 3, units(400).put("buckets", 2), new JsonObject());
    List<Supplier<Future<Answer>>> requests = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Buyer buyer = Buyer.named("buyer-" + i);
      JsonArray lines = i % 2 == 0 ? sale.lines(0, 1, 1, 1, 2, 1) : sale.lines(1, 1, 2, 1);
      requests.add(() -> insisting(sale, buyer, lines, 100));
    }

    // when
    Future<List<Answer>> selling = site.crowd(24).start(requests);
    Answer first = sale.sku(1).rebuild();
    Answer second = sale.sku(2).rebuild();
    List<Answer> answers = Crowd.await(selling);

    // then
    assertThat(first.status()).isEqualTo(200);
    assertThat(second.status()).isEqualTo(200);
    assertThat(answers).allMatch(Answer::isYes);
    Set<Long> epochs =
        new HashSet<>(
            site.ledger()
                .query(
                    "SELECT epoch FROM inventory_bucket WHERE sku_id IN (?, ?, ?)",
                    row -> row.getLong(0),
                    sale.skuIds().toArray()));
    assertThat(epochs).hasSize(1);
    site.checkPromises();
    assertThat(sale.sku(0).ledger().held()).isEqualTo(200);
    assertThat(sale.sku(1).ledger().held()).isEqualTo(400);
  }

  /** Asks again with the same key until the answer is certain. */
  private static Future<Answer> insisting(CartSale sale, Buyer buyer, JsonArray lines, int tries) {
    return insisting(() -> sale.ordering(buyer, "k", lines), tries);
  }

  private static Future<Answer> insisting(Supplier<Future<Answer>> asking, int tries) {
    return asking
        .get()
        .compose(
            answer ->
                (answer.status() != 503 && answer.came()) || tries == 0
                    ? Future.succeededFuture(answer)
                    : site.vertx().timer(100).compose(later -> insisting(asking, tries - 1)));
  }
}
