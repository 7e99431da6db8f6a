package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A SKU in several buckets: every unit can be sold, and sold-out is said only when all buckets are
 * empty.
 */
class BucketsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int BUCKETS = 8;
  private static final int UNITS = 100;

  @Test
  void shouldSplitTheStockAsEvenlyAsItGoes() {
    // given
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).open();

    // when
    List<Long> allotted =
        site.ledger().counters().stream()
            .filter(bucket -> bucket.skuId() == sale.skuId())
            .map(Stock::total)
            .toList();

    // then
    assertThat(allotted).hasSize(BUCKETS).allMatch(units -> units == 12 || units == 13);
    assertThat(allotted.stream().mapToLong(Long::longValue).sum()).isEqualTo(UNITS);
  }

  @Test
  void shouldSellEveryUnitBeforeItSaysSoldOut() {
    // given
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).open();
    List<Buyer> buyers = Buyer.crowd(2_000);

    // when
    List<Answer> answers =
        site.crowd(64)
            .send(
                buyers.stream()
                    .<Supplier<Future<Answer>>>map(
                        buyer ->
                            () -> Insistence.whileUnavailable(() -> sale.ordering(buyer, "k1", 1)))
                    .toList());

    // then
    assertThat(answers)
        .extracting(Answer::brief)
        .containsOnly("201 RESERVED", "409 sold-out", "503 busy");
    assertThat(answers.stream().filter(answer -> answer.status() == 201))
        .as("granted: %s", Crowd.tally(answers))
        .hasSize(UNITS);
    assertThat(sale.order(Buyer.named("late")).brief()).isEqualTo("409 sold-out");
  }

  @Test
  void shouldSayBusyWhileOnlyOtherBucketsHaveUnits() {
    // given
    Sale sale = site.sale().withStock(BUCKETS).withBuckets(BUCKETS).open();

    // when
    List<String> briefs =
        Buyer.crowd(150).stream().map(buyer -> sale.order(buyer).brief()).toList();

    // then
    int firstSoldOut = briefs.indexOf("409 sold-out");
    List<String> before = briefs.subList(0, firstSoldOut);
    assertThat(before.stream().filter("201 RESERVED"::equals)).hasSize(BUCKETS);
    assertThat(before).contains("503 busy").containsOnly("201 RESERVED", "503 busy");
    assertThat(briefs.subList(firstSoldOut, briefs.size())).containsOnly("409 sold-out");
  }
}
