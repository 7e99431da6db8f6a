package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What operators do with a service of two instances and a database, and what it tells by itself.
 */
class DirectDeskIT {
  @RegisterExtension static final SaleSite site = LedgerAlone.newSite();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Buyer CAROL = Buyer.named("carol");

  private final LedgerAlone service = new LedgerAlone(site);

  @Test
  void shouldBeReadyWithTheLedgerAlone() {
    // when
    Answer ready = site.instance(0).readiness();

    // then
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.json().getJsonObject("parts").fieldNames())
        .containsExactlyInAnyOrder("mysql", "service");
  }

  /** A restored ledger got another id from one instance, and all others ended. */
  @Test
  void shouldGoOnWhenTheLedgerHasAnotherIdByNow() {
    // given
    site.ledger()
        .query("UPDATE foundation SET value = 'another' WHERE name = 'ledger_id'", row -> row);

    // when
    noteAgain();
    noteAgain();

    // then
    assertThat(List.of(site.instance(0).readiness(), site.instance(1).readiness()))
        .allMatch(ready -> ready.status() == 200);
  }

  private static void noteAgain() {
    site.ledger().query("DELETE FROM service_instance", row -> row);
    await()
        .atMost(LIMIT)
        .until(() -> site.ledger().query("SELECT 1 FROM service_instance", row -> row).size() == 2);
  }

  @Test
  void shouldTakeDirectSkusAlone() {
    // given
    long skuId = site.newSkuId();
    JsonObject terms = new JsonObject().put("total_stock", 5);

    // when
    Answer fast = service.put("/admin/skus/" + skuId, terms);
    Answer ofSale =
        service.put("/admin/sales/fast-" + skuId, SaleBodies.of("fast", List.of(skuId), terms));
    Answer direct = service.put("/admin/skus/" + skuId, terms.copy().put("mode", "direct"));
    Answer again = service.put("/admin/skus/" + skuId, terms.copy().put("mode", "direct"));
    Answer other = service.put("/admin/skus/" + skuId, terms.copy().put("mode", "fast"));

    // then
    assertThat(fast.brief()).isEqualTo("409 mode-unavailable");
    assertThat(ofSale.brief()).isEqualTo("409 mode-unavailable");
    assertThat(direct.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(other.brief()).isEqualTo("409 setting-fixed");
    assertThat(direct.json().getString("mode")).isEqualTo("direct");
  }

  @Test
  void shouldFollowOperators() {
    // given
    Sale sale = site.sale().withStock(5).withBuckets(2).direct().open();

    // when
    String more = sale.restock("more", 5).json().getString("state");
    int taken = sale.restock("less", -9).status();
    String tooMuch = sale.restock("most", -2).brief();
    sale.close();
    String closed = sale.order(ALICE).brief();
    sale.reopen();
    sale.freeze();
    String frozen = sale.order(ALICE).brief();
    sale.unfreeze();
    int rebuilt = sale.rebuild().status();
    String open = sale.order(ALICE).brief();
    String soldOut = sale.order(BOB).brief();

    // then
    assertThat(more).isEqualTo("OPEN");
    assertThat(taken).isEqualTo(200);
    assertThat(tooMuch).isEqualTo("409 not-enough-unsold");
    assertThat(closed).isEqualTo("409 not-open");
    assertThat(frozen).isEqualTo("503 busy");
    assertThat(rebuilt).isEqualTo(200);
    assertThat(open).isEqualTo("201 PENDING");
    assertThat(soldOut).isEqualTo("409 sold-out");
  }

  @Test
  void shouldEndBeArchivedAndSellAgainInTheNextSale() {
    // given
    long skuId = site.newSkuId();
    JsonObject terms = new JsonObject().put("total_stock", 4).put("mode", "direct");
    String first = "first-" + skuId;
    Answer opened =
        service.put("/admin/sales/" + first, SaleBodies.of("first", List.of(skuId), terms));
    Sale sale = site.known(skuId);
    String paid = sale.order(ALICE).token();
    sale.pay(paid);
    String held = sale.order(BOB).token();

    // when
    String end = "/admin/sales/" + first + "/end";
    int begun = site.desk("POST", end).status();
    sale.cancel(BOB, held);
    await().atMost(LIMIT).until(() -> site.desk("POST", end).status() == 200);
    String closed = sale.order(CAROL).brief();
    Answer next =
        service.put(
            "/admin/sales/next-" + skuId,
            SaleBodies.of("next", List.of(skuId), new JsonObject().put("total_stock", 2)));
    String again =
        await()
            .atMost(LIMIT)
            .until(() -> sale.order(ALICE), answer -> answer.status() == 201)
            .token();
    String archive = "/admin/sales/" + first + "/archive";
    await().atMost(LIMIT).until(() -> site.desk("POST", archive).status() == 200);

    // then
    assertThat(opened.status()).isEqualTo(201);
    assertThat(begun).isEqualTo(202);
    assertThat(closed).isEqualTo("409 not-open");
    assertThat(next.status()).isIn(200, 201);
    assertThat(again).isNotEqualTo(paid);
    assertThat(sale.status(paid).brief()).isEqualTo("200 CONFIRMED");
    assertThat(sale.refund(paid).brief()).isEqualTo("409 archived");
    assertThat(site.ledger().count("SELECT COUNT(*) FROM direct_hold WHERE sku_id = " + skuId))
        .isEqualTo(1);
  }

  @Test
  void shouldBanOnAllInstances() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();
    Buyer banned = Buyer.named("banned-" + sale.skuId());

    // when
    service.put(
        "/admin/blacklist/" + banned.userId(),
        new JsonObject().put("ban_s", 60).put("reason", "x"));

    // then
    for (SluiceProcess instance : site.instances().subList(0, 2)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> sale.at(instance).order(banned).status() == 429);
    }
  }

  @Test
  void shouldTellWaitingCallersWhenAnOrderChanges() {
    // given
    Sale sale = site.sale().withStock(1).direct().open();
    String token = sale.order(ALICE).token();
    Future<Answer> waiting =
        sale.at(site.instance(0)).statusChanging(ALICE, token, Duration.ofSeconds(20));
    await().atMost(LIMIT).until(() -> MetricsPage.hasWaiter(site, site.instance(0)));

    // when
    sale.pay(token);

    // then
    assertThat(Crowd.await(waiting.map(List::of)).get(0).brief()).isEqualTo("200 CONFIRMED");
  }

  @Test
  void shouldTellEventsInOrderWhileManyAreWritten() {
    // given
    Sale sale = site.sale().withStock(300).withBuckets(4).direct().open();
    List<Answer> sold = site.crowd(32).send(service.orders(sale, 300));
    long wanted = sold.stream().filter(Answer::isYes).count();
    long endNs = System.nanoTime() + LIMIT.toNanos();
    List<Long> numbers = new ArrayList<>();

    // when
    Future<List<Answer>> paying =
        site.crowd(32)
            .start(
                sold.stream()
                    .filter(Answer::isYes)
                    .<Supplier<Future<Answer>>>map(answer -> () -> sale.paying(answer.token()))
                    .toList());
    String after = "0";
    Map<String, List<Long>> versions = new HashMap<>();
    while (versions.values().stream().filter(seen -> seen.size() == 2).count() < wanted) {
      assertThat(System.nanoTime()).as("events so far: %s", versions.size()).isLessThan(endNs);
      JsonObject page = service.ask("/admin/events?limit=50&after=" + after).json();
      after = page.getString("next");
      for (Object each : page.getJsonArray("events")) {
        JsonObject event = (JsonObject) each;
        numbers.add(event.getLong("event_no"));
        if (Long.valueOf(sale.skuId()).equals(event.getLong("sku_id"))
            && event.containsKey("order_token")) {
          versions
              .computeIfAbsent(event.getString("order_token"), token -> new ArrayList<>())
              .add(event.getLong("version"));
        }
      }
    }

    // then
    assertThat(Crowd.await(paying)).allMatch(Answer::isYes);
    assertThat(numbers).doesNotHaveDuplicates().isSorted();
    assertThat(versions.values()).allSatisfy(seen -> assertThat(seen).containsExactly(1L, 2L));
  }

  @Test
  void shouldAnswerAWaitWhenAnEventIsNumberedByAnyInstance() {
    // given
    Sale sale = site.sale().withStock(1).direct().open();
    String cursor = settledCursor();
    Future<Answer> waiting =
        site.http()
            .send(
                Call.get(site.instance(1).adminUrl() + "/admin/events?wait=25&after=" + cursor)
                    .within(LIMIT));

    // when
    String token = sale.order(ALICE).token();
    Answer answer = Crowd.await(waiting.map(List::of)).get(0);

    // then
    assertThat(answer.took()).isLessThan(Duration.ofSeconds(20));
    assertThat(answer.json().getJsonArray("events"))
        .extracting(event -> ((JsonObject) event).getString("order_token"))
        .contains(token);
    assertThat(service.ask("/admin/events?after=" + (Long.parseLong(cursor) + 1_000)).brief())
        .isEqualTo("410 events-gone");
  }

  /** The cursor behind all events, once none comes for a while. */
  private String settledCursor() {
    String cursor = "newest";
    JsonObject page;
    do {
      page = service.ask("/admin/events?wait=2&after=" + cursor).json();
      cursor = page.getString("next");
    } while (!page.getJsonArray("events").isEmpty());
    return cursor;
  }

  @Test
  void shouldTellWhenTheStockCrossesAWatermark() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();

    // when
    sale.order(ALICE, "", 9);

    // then
    awaitEvent(sale, "WATERMARK_CROSSED");
  }

  @Test
  void shouldFreezeWhenCountersAndRowsDisagree() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();
    sale.order(ALICE);
    String wrong = "UPDATE inventory_bucket SET held = held %s 1 WHERE sku_id = " + sale.skuId();

    // when
    site.ledger().query(wrong.formatted("+"), row -> row);
    try {
      await().atMost(LIMIT).until(() -> sale.look().json().getString("state").equals("FROZEN"));
    } finally {
      site.ledger().query(wrong.formatted("-"), row -> row);
    }

    // then
    assertThat(sale.order(BOB).brief()).isEqualTo("503 busy");
    awaitEvent(sale, "SKU_FROZEN");
  }

  private void awaitEvent(Sale of, String type) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                service.events().stream()
                    .anyMatch(
                        event ->
                            type.equals(event.getString("type"))
                                && Long.valueOf(of.skuId()).equals(event.getLong("sku_id"))));
  }
}
