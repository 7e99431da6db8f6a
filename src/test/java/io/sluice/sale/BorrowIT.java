package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.BucketId;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Any unit reaches any buyer: units move to the buckets whose buyers ask for them. */
class BorrowIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int BUCKETS = 64;
  private static final Duration ASKS_EVERY = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** What a buyer has heard, and when. */
  private record Heard(long sentNanos, long atNanos, String brief) {}

  /** Units do not move before all instances are known to understand it. */
  @BeforeAll
  static void letUnitsMove() {
    Sale sale = site.sale().withStock(1).withBuckets(8).open();
    buy(sale, buyerOf(sale, 8, 7, 0), new ArrayList<>());
  }

  @Test
  @Tag("alone")
  @Moves({"sluice_moves_total", "sluice_moved_units_total"})
  void shouldSellTheLastUnitOfManyBucketsWithinASecond() {
    // given
    List<Duration> took = new ArrayList<>();
    for (int bucket = 1; bucket < BUCKETS; bucket += 9) {
      Sale sale = site.sale().withStock(1).withBuckets(BUCKETS).open();
      Buyer buyer = buyerOf(sale, BUCKETS, bucket, 0);

      // when
      took.add(buy(sale, buyer, new ArrayList<>()));
    }

    // then
    assertThat(took).as("%s", took).allMatch(time -> time.compareTo(Duration.ofSeconds(1)) < 0);
  }

  @Test
  void shouldSellEveryUnitToThoseWhoGoOnAsking() {
    // given
    Sale sale = site.sale().withStock(BUCKETS).withBuckets(BUCKETS).open();
    List<Heard> heard = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger yeses = new AtomicInteger();

    // when
    List<Future<Heard>> buyers =
        IntStream.range(0, 200)
            .mapToObj(i -> buyerOf(sale, BUCKETS, i % 40, i))
            .map(buyer -> asking(sale, buyer, heard, yeses))
            .toList();
    await().atMost(LIMIT).until(() -> yeses.get() > BUCKETS / 2);
    Answer rebuilt = rebuild(sale);
    await().atMost(LIMIT).until(() -> buyers.stream().allMatch(Future::isComplete));

    // then
    assertThat(rebuilt.status()).isIn(200, 503);
    assertThat(yeses).hasValue(BUCKETS);
    long lastYes = lastSent(heard, "201 RESERVED");
    assertThat(heard.stream().filter(each -> each.brief().equals("409 sold-out")))
        .as("sold-out is not heard before the last unit is granted")
        .allMatch(each -> each.atNanos() > lastYes);
    assertThat(movedUnits(sale, 1)).isPositive();
  }

  @Test
  void shouldSellAllBucketsThroughAFewOfThem() {
    // given
    int units = 10_000;
    Sale sale = site.sale().withStock(units).withBuckets(16).open();
    List<Buyer> few =
        IntStream.range(0, units)
            .mapToObj(i -> buyerOf(sale, 16, new int[] {2, 7, 11}[i % 3], i / 3))
            .toList();

    // when
    List<Answer> answers =
        site.crowd(256)
            .send(
                few.stream()
                    .<Supplier<Future<Answer>>>map(buyer -> () -> insisting(sale, buyer))
                    .toList());

    // then
    assertThat(answers).as("%s", Crowd.tally(answers)).allMatch(Answer::isYes);
    assertThat(movedUnits(sale, units / 16)).isPositive();
  }

  /** Until their owners have told them, nobody knows whether a unit is on its way. */
  @Test
  void shouldSaySoldOutWhenBucketsDidNotKnowTheTotalOfTheirSku() {
    // given
    int buckets = 4;
    Sale sale = site.sale().withStock(buckets).withBuckets(buckets).open();
    for (int bucket = 0; bucket < buckets; bucket++) {
      buy(sale, buyerOf(sale, buckets, bucket, bucket), new ArrayList<>());
    }
    IntStream.range(0, buckets)
        .forEach(bucket -> site.stock().forgetSkuTotal(sale.skuId(), bucket));

    // when
    Future<Heard> late =
        asking(sale, buyerOf(sale, buckets, 1, buckets), new ArrayList<>(), new AtomicInteger());
    await().atMost(LIMIT).until(late::isComplete);

    // then
    assertThat(late.result().brief()).isEqualTo("409 sold-out");
  }

  /** Waits longer than a caller usually does. */
  private static Answer rebuild(Sale sale) {
    Call call = Call.post(site.instance(0).adminUrl() + "/admin/skus/" + sale.skuId() + "/rebuild");
    return site.http().ask(call.within(LIMIT));
  }

  private static Future<Answer> insisting(Sale sale, Buyer buyer) {
    return sale.ordering(buyer, "", 1)
        .compose(
            answer ->
                answer.isYes()
                    ? Future.succeededFuture(answer)
                    : pause().compose(over -> insisting(sale, buyer)));
  }

  private static Future<Void> pause() {
    return site.vertx().timer(ASKS_EVERY.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
  }

  /** Asks until the answer is neither busy nor unavailable. */
  private static Future<Heard> asking(
      Sale sale, Buyer buyer, List<Heard> heard, AtomicInteger yeses) {
    Promise<Heard> end = Promise.promise();
    ask(sale, buyer, heard, yeses, end);
    return end.future();
  }

  private static void ask(
      Sale sale, Buyer buyer, List<Heard> heard, AtomicInteger yeses, Promise<Heard> end) {
    long sentNanos = System.nanoTime();
    sale.ordering(buyer, "", 1)
        .onComplete(
            answered -> {
              String brief = answered.succeeded() ? answered.result().brief() : "no answer";
              Heard now = new Heard(sentNanos, System.nanoTime(), brief);
              heard.add(now);
              if (brief.startsWith("20")) {
                yeses.incrementAndGet();
              }
              if (brief.startsWith("5") || brief.startsWith("no")) {
                pause().onSuccess(over -> ask(sale, buyer, heard, yeses, end));
              } else {
                end.complete(now);
              }
            });
  }

  private static Duration buy(Sale sale, Buyer buyer, List<Heard> heard) {
    long began = System.nanoTime();
    Future<Heard> asking = asking(sale, buyer, heard, new AtomicInteger());
    await().atMost(LIMIT).pollInterval(Duration.ofMillis(5)).until(asking::isComplete);
    assertThat(asking.result().brief()).isEqualTo("201 RESERVED");
    return Duration.ofNanos(asking.result().atNanos() - began);
  }

  private static long lastSent(List<Heard> heard, String brief) {
    return heard.stream()
        .filter(each -> each.brief().equals(brief))
        .mapToLong(Heard::sentNanos)
        .max()
        .orElseThrow();
  }

  private static Buyer buyerOf(Sale sale, int buckets, int bucket, int number) {
    for (int i = 0; ; i++) {
      Buyer buyer = Buyer.named("buyer-" + number + "-" + i);
      if (BucketId.of(sale.skuId(), buyer.userId(), buckets).bucket() == bucket) {
        return buyer;
      }
    }
  }

  /** How far the allotments are from the even shares with which the sale began. */
  private static long movedUnits(Sale sale, long share) {
    return site.ledger().counters().stream()
        .filter(bucket -> bucket.skuId() == sale.skuId())
        .mapToLong(Stock::total)
        .map(total -> Math.abs(total - share))
        .sum();
  }
}
