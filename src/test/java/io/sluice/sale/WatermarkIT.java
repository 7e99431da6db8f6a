package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.BucketId;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens at the watermarks of a SKU: events, and few requests for the last units. */
class WatermarkIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(2).setting("SLUICE_ADMISSION_LAST_FACTOR", 1);

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int BUCKETS = 4;
  private static final int VISITORS = 256;

  @Test
  void shouldTellOfEachCrossingOnceWhateverDies() {
    // given
    Sale sale = site.sale().withStock(100).withBuckets(BUCKETS).open();
    sellOfEachBucket(sale, 80, "buyer");
    await().atMost(SOON).until(() -> crossings(sale).equals(List.of("LOW DOWN 1")));

    // when
    sellOfEachBucket(sale, 16, "more");
    site.instances().forEach(SluiceProcess::restart);
    site.awaitReady();
    await().atMost(SOON).until(() -> crossings(sale).equals(List.of("LOW DOWN 1", "LAST DOWN 2")));
    sale.rebuild();
    sale.restock("more", 900);

    // then
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(crossings(sale))
                    .containsExactly("LOW DOWN 1", "LAST DOWN 2", "LAST UP 3", "LOW UP 4"));
  }

  @Test
  @Moves("sluice_last_refusals_total")
  void shouldSellEveryLastUnitAndLiftTheLimitWithARestock() {
    // given
    Sale sale = allLast(20);
    double before = lastRefusals();

    // when
    List<Answer> first = ordering(sale, "first", 3_000);
    // Whether so many ask at one moment is chance.
    for (int more = 0; more < 9 && lastRefusals() == before; more++) {
      ordering(allLast(20), "more" + more, 3_000);
    }
    boolean limited = lastRefusals() > before;
    sale.restock("more", 2_000);
    ordering(sale, "again", 200);
    // What was said to be sold out stays so for 250 ms; then no event loop says so any more.
    await().atMost(SOON).until(() -> sale.order(Buyer.named("a-" + System.nanoTime())).isYes());
    List<Answer> later = askingOnce(sale, named("later", 1_000));

    // then
    assertThat(limited).as("%s", Crowd.tally(first)).isTrue();
    assertThat(first.stream().filter(answer -> answer.status() == 201)).hasSize(20);
    assertThat(Crowd.tally(first)).containsKey("409 sold-out");
    assertThat(Crowd.tally(later)).as("nobody is refused").containsOnlyKeys("201 RESERVED");
  }

  private static double lastRefusals() {
    return MetricsPage.value(site, "sluice_last_refusals_total");
  }

  /** A SKU that is at LAST from its first unit on. */
  private static Sale allLast(int units) {
    long skuId = site.newSkuId();
    JsonObject terms =
        new JsonObject().put("total_stock", units).put("low_percent", 100).put("last_percent", 100);
    site.putSale("last-" + skuId, SaleBodies.of("Last units", List.of(skuId), terms));
    return site.known(skuId);
  }

  /** As many units of each bucket, each to a buyer of its own. */
  private static void sellOfEachBucket(Sale sale, int units, String name) {
    List<Answer> answers =
        insisting(
            sale,
            IntStream.range(0, BUCKETS)
                .boxed()
                .flatMap(
                    bucket ->
                        IntStream.iterate(0, n -> n + 1)
                            .mapToObj(n -> name + "-" + n)
                            .filter(user -> bucketOf(sale, user) == bucket)
                            .limit(units / BUCKETS))
                .map(Buyer::named)
                .toList());
    assertThat(Crowd.tally(answers)).containsOnlyKeys("201 RESERVED");
  }

  private static int bucketOf(Sale sale, String user) {
    return BucketId.of(sale.skuId(), user, BUCKETS).bucket();
  }

  private static List<Answer> ordering(Sale sale, String name, int buyers) {
    return insisting(sale, named(name, buyers));
  }

  /** Buyers who ask again while they are told that it is busy. */
  private static List<Answer> insisting(Sale sale, List<Buyer> buyers) {
    return site.crowd(VISITORS)
        .send(buyers, buyer -> Insistence.on(() -> sale.ordering(buyer, "k1", 1)));
  }

  private static List<Answer> askingOnce(Sale sale, List<Buyer> buyers) {
    return site.crowd(VISITORS)
        .send(buyers, buyer -> Insistence.whileUnavailable(() -> sale.ordering(buyer, "k1", 1)));
  }

  private static List<Buyer> named(String name, int buyers) {
    return IntStream.range(0, buyers).mapToObj(n -> Buyer.named(name + "-" + n)).toList();
  }

  /** The crossings of a SKU in the order of the topic, without repetitions. */
  private static List<String> crossings(Sale sale) {
    return site.topics().all(site.eventsTopic()).stream()
        .filter(entry -> String.valueOf(sale.skuId()).equals(entry.key()))
        .map(entry -> entry.json())
        .filter(event -> "WATERMARK_CROSSED".equals(event.getString("type")))
        .map(JsonObject::getMap)
        .map(WatermarkIT::brief)
        .distinct()
        .toList();
  }

  private static String brief(Map<String, Object> event) {
    return event.get("mark") + " " + event.get("way") + " " + event.get("version");
  }
}
