package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Thousands of look-ups a second of things that do not exist, during a sale. */
class LookupFloodIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final int LOOKUPS = 12_000;
  private static final int ORDERS = 300;
  private static final int VISITORS = 256;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void shouldGrantAndBookWithoutNoticeWhenNonsenseIsLookedUp() {
    // given
    Sale sale = site.sale().withStock(10 * ORDERS).withBuckets(8).open();
    double ownersBefore = connectionsTaken("owners");
    double lookupsBefore = connectionsTaken("lookups");

    // when
    Future<List<Answer>> flood = site.crowd(VISITORS).start(nonsense(sale));
    List<Answer> orders = site.crowd(8).send(orders(sale));
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == ORDERS);
    List<Answer> found = Crowd.await(flood);

    // then
    Map<String, Long> told = Crowd.tally(found);
    assertThat(orders).extracting(Answer::status).containsOnly(201);
    assertThat(told.keySet())
        .isSubsetOf("404 unknown-sku", "404 unknown-order", "503 busy", "503 unavailable");
    assertThat(found)
        .filteredOn(answer -> answer.status() == 503)
        .allMatch(answer -> answer.header("retry-after") != null);
    assertThat(connectionsTaken("lookups") - lookupsBefore).isBetween(1.0, LOOKUPS / 2.0);
    assertThat(connectionsTaken("owners") - ownersBefore).isLessThan(LOOKUPS / 2.0);
  }

  /** Each with another id, so that no cached answer applies. */
  private static List<Supplier<Future<Answer>>> nonsense(Sale sale) {
    String url = site.instance(0).url();
    long unknown = site.newSkuId() + 1_000_000;
    List<IntFunction<Call>> kinds =
        List.of(
            i -> Call.get(url + "/v1/skus/" + (unknown + i)),
            i -> Call.get(url + "/v1/orders/" + token(unknown + i, 0, i)).as(Buyer.named("eve")),
            i -> Call.get(url + "/v1/orders/" + token(sale.skuId(), i % 8, i)),
            i ->
                Call.post(url + "/v1/orders")
                    .as(Buyer.named("eve" + i))
                    .json(new JsonObject().put("sku_id", unknown + i).put("qty", 1)));
    return IntStream.range(0, LOOKUPS)
        .<Supplier<Future<Answer>>>mapToObj(
            i -> () -> site.http().send(kinds.get(i % kinds.size()).apply(i)))
        .toList();
  }

  private static String token(long skuId, int bucket, int number) {
    return "%d.%d.%022d".formatted(skuId, bucket, number);
  }

  private static List<Supplier<Future<Answer>>> orders(Sale sale) {
    return Buyer.crowd(ORDERS).stream()
        .<Supplier<Future<Answer>>>map(buyer -> () -> sale.ordering(buyer, "k1", 1))
        .toList();
  }

  private static double connectionsTaken(String pool) {
    return MetricsPage.value(
        site, "sluice_ledger_connection_wait_seconds_count{pool=\"%s\"}".formatted(pool));
  }
}
