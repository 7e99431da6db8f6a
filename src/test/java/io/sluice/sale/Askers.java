package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.BucketId;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Buyers of chosen buckets who ask until the answer is neither busy nor unavailable. */
record Askers(SaleSite site) {
  private static final Duration ASKS_EVERY = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** What a buyer has heard, and when. */
  record Heard(long sentNanos, long atNanos, Answer answer) {
    String brief() {
      return answer.brief();
    }

    /** A refusal that ends nothing: who goes on asking may get a unit. */
    boolean isNotYet() {
      return !answer.came() || answer.status() >= 500;
    }
  }

  /** Units do not move before all instances are known to understand it. */
  void letUnitsMove() {
    Sale sale = site.sale().withStock(1).withBuckets(8).open();
    buy(sale, buyerOf(sale, 8, 7, 0));
  }

  static Buyer buyerOf(Sale sale, int buckets, int bucket, int number) {
    for (int i = 0; ; i++) {
      Buyer buyer = Buyer.named("buyer-" + number + "-" + i);
      if (BucketId.of(sale.skuId(), buyer.userId(), buckets).bucket() == bucket) {
        return buyer;
      }
    }
  }

  /** The last of what this buyer has heard; a yes or a refusal for good. */
  Future<Heard> asking(Sale sale, Buyer buyer, Consumer<Heard> heard) {
    Promise<Heard> end = Promise.promise();
    ask(sale, buyer, heard, end);
    return end.future();
  }

  private void ask(Sale sale, Buyer buyer, Consumer<Heard> heard, Promise<Heard> end) {
    long sentNanos = System.nanoTime();
    sale.ordering(buyer, "", 1)
        .onSuccess(
            answer -> {
              Heard now = new Heard(sentNanos, System.nanoTime(), answer);
              heard.accept(now);
              if (now.isNotYet()) {
                site.vertx()
                    .timer(ASKS_EVERY.toMillis(), TimeUnit.MILLISECONDS)
                    .onSuccess(over -> ask(sale, buyer, heard, end));
              } else {
                end.complete(now);
              }
            });
  }

  /** Returns how long it took until this buyer had a unit. */
  Duration buy(Sale sale, Buyer buyer) {
    long began = System.nanoTime();
    Future<Heard> asking = asking(sale, buyer, heard -> {});
    await().atMost(LIMIT).pollInterval(Duration.ofMillis(5)).until(asking::isComplete);
    assertThat(asking.result().brief()).isEqualTo("201 RESERVED");
    return Duration.ofNanos(asking.result().atNanos() - began);
  }

  /** How far the allotments are from the even shares with which the sale began. */
  long movedUnits(Sale sale, long share) {
    return site.ledger().counters().stream()
        .filter(bucket -> bucket.skuId() == sale.skuId())
        .mapToLong(Stock::total)
        .map(total -> Math.abs(total - share))
        .sum();
  }
}
