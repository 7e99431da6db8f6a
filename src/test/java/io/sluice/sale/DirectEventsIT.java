package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
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

/** What such a service does by itself, and tells: time-outs, watermarks, audits, events. */
class DirectEventsIT {
  @RegisterExtension static final SaleSite site = LedgerAlone.newSite();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final LedgerAlone service = new LedgerAlone(site);

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
  void shouldEndOrdersThatNobodyPays() {
    // given
    Sale sale = site.sale().withStock(3).withPaymentWindow(Duration.ofSeconds(1)).direct().open();
    String token = sale.order(ALICE).token();
    String paid = sale.order(BOB).token();
    sale.pay(paid);

    // when
    await().atMost(LIMIT).until(() -> sale.status(token).brief().equals("200 CANCELED"));

    // then
    assertThat(sale.status(token).json().getString("reason")).isEqualTo("TIMEOUT");
    assertThat(sale.status(paid).brief()).isEqualTo("200 CONFIRMED");
    assertThat(sale.ledger().available()).isEqualTo(2);
    await().atMost(LIMIT).until(() -> service.eventsOf(token).contains("ORDER_CANCELED"));
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
    long after = 0;
    Map<String, List<Long>> versions = new HashMap<>();
    while (versions.values().stream().filter(seen -> seen.size() == 2).count() < wanted) {
      assertThat(System.nanoTime()).as("events so far: %s", versions.size()).isLessThan(endNs);
      JsonObject page = service.ask("/admin/events?limit=50&after=" + after).json();
      after = page.getLong("next");
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
