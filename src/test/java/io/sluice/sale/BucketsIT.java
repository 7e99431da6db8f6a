package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.Askers.Heard;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A SKU in several buckets: units move to the buckets whose buyers ask for them, every one can be
 * sold, and sold-out is said only when all buckets are empty.
 */
class BucketsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int BUCKETS = 8;
  private static final int UNITS = 100;
  private static final int MANY = 64;
  private static final Askers ASKERS = new Askers(site);

  /** Longer than an event loop keeps a finding of units, which is 25 ms. */
  private static final Duration FINDING_KEPT = Duration.ofMillis(100);

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @BeforeAll
  static void letUnitsMove() {
    ASKERS.letUnitsMove();
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
                buyers, buyer -> Insistence.whileUnavailable(() -> sale.ordering(buyer, "k1", 1)));

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
    Iterator<Buyer> crowd = Buyer.crowd(150).iterator();
    List<String> before = new ArrayList<>();
    String brief = sale.order(crowd.next()).brief();
    while (!brief.equals("409 sold-out")) {
      before.add(brief);
      brief = sale.order(crowd.next()).brief();
    }
    // An event loop that found units a moment ago says busy for so long, without another look.
    await().pollDelay(FINDING_KEPT).until(() -> true);
    List<String> after = new ArrayList<>();
    crowd.forEachRemaining(buyer -> after.add(sale.order(buyer).brief()));

    // then
    assertThat(before.stream().filter("201 RESERVED"::equals)).hasSize(BUCKETS);
    assertThat(before).contains("503 busy").containsOnly("201 RESERVED", "503 busy");
    assertThat(after).containsOnly("409 sold-out");
  }

  @Test
  void shouldSellEveryUnitToThoseWhoGoOnAsking() {
    // given
    Sale sale = site.sale().withStock(MANY).withBuckets(MANY).open();
    List<Heard> heard = Collections.synchronizedList(new ArrayList<>());

    // when
    List<Future<Heard>> buyers =
        IntStream.range(0, 200)
            .mapToObj(i -> Askers.buyerOf(sale, MANY, i % 40, i))
            .map(buyer -> ASKERS.asking(sale, buyer, heard::add))
            .toList();
    await().atMost(LIMIT).until(() -> yeses(heard) > MANY / 2);
    Answer rebuilt = rebuild(sale);
    await().atMost(LIMIT).until(() -> buyers.stream().allMatch(Future::isComplete));

    // then
    assertThat(rebuilt.status()).isIn(200, 503);
    assertThat(yeses(heard)).isEqualTo(MANY);
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
