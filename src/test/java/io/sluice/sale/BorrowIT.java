package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.Askers.Heard;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Any unit reaches any buyer: units move to the buckets whose buyers ask for them. */
class BorrowIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int BUCKETS = 64;
  private static final Askers ASKERS = new Askers(site);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @BeforeAll
  static void letUnitsMove() {
    ASKERS.letUnitsMove();
  }

  @Test
  void shouldSellEveryUnitToThoseWhoGoOnAsking() {
    // given
    Sale sale = site.sale().withStock(BUCKETS).withBuckets(BUCKETS).open();
    List<Heard> heard = Collections.synchronizedList(new ArrayList<>());

    // when
    List<Future<Heard>> buyers =
        IntStream.range(0, 200)
            .mapToObj(i -> Askers.buyerOf(sale, BUCKETS, i % 40, i))
            .map(buyer -> ASKERS.asking(sale, buyer, heard::add))
            .toList();
    await().atMost(LIMIT).until(() -> yeses(heard) > BUCKETS / 2);
    Answer rebuilt = rebuild(sale);
    await().atMost(LIMIT).until(() -> buyers.stream().allMatch(Future::isComplete));

    // then
    assertThat(rebuilt.status()).isIn(200, 503);
    assertThat(yeses(heard)).isEqualTo(BUCKETS);
    long lastYes = lastSent(heard, "201 RESERVED");
    assertThat(heard.stream().filter(each -> each.brief().equals("409 sold-out")))
        .as("sold-out is not heard before the last unit is granted")
        .allMatch(each -> each.atNanos() > lastYes);
    assertThat(ASKERS.movedUnits(sale, 1)).isPositive();
  }

  /** Until their owners have told them, nobody knows whether a unit is on its way. */
  @Test
  void shouldSaySoldOutWhenBucketsDidNotKnowTheTotalOfTheirSku() {
    // given
    int buckets = 4;
    Sale sale = site.sale().withStock(buckets).withBuckets(buckets).open();
    for (int bucket = 0; bucket < buckets; bucket++) {
      ASKERS.buy(sale, Askers.buyerOf(sale, buckets, bucket, bucket));
    }
    IntStream.range(0, buckets)
        .forEach(bucket -> site.stock().forgetSkuTotal(sale.skuId(), bucket));

    // when
    Future<Heard> late =
        ASKERS.asking(sale, Askers.buyerOf(sale, buckets, 1, buckets), heard -> {});
    await().atMost(LIMIT).until(late::isComplete);

    // then
    assertThat(late.result().brief()).isEqualTo("409 sold-out");
  }

  /** Waits longer than a caller usually does. */
  private static Answer rebuild(Sale sale) {
    Call call = Call.post(site.instance(0).adminUrl() + "/admin/skus/" + sale.skuId() + "/rebuild");
    return site.http().ask(call.within(LIMIT));
  }

  private static long lastSent(List<Heard> heard, String brief) {
    return heard.stream()
        .filter(each -> each.brief().equals(brief))
        .mapToLong(Heard::sentNanos)
        .max()
        .orElseThrow();
  }

  private static long yeses(List<Heard> heard) {
    return List.copyOf(heard).stream().filter(each -> each.answer().isYes()).count();
  }
}
