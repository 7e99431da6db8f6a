package io.sluice.sale.outage;

import static org.awaitility.Awaitility.await;

import io.sluice.sale.Newcomers;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rounds of orders of new buyers, each of which covers all partitions of a sale in 16 buckets. */
final class Rounds {
  static final int SIZE = 40;

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int VISITORS = 10;

  private final SaleSite site;
  private final Newcomers newcomers = new Newcomers();

  Rounds(SaleSite site) {
    this.site = site;
  }

  List<Answer> one(Sale sale) {
    return site.crowd(VISITORS).send(newcomers.orders(sale, SIZE));
  }

  /** Waits until a round goes through the log completely; returns the answers to all rounds. */
  List<Answer> untilWhole(Sale sale) {
    List<Answer> all = new ArrayList<>();
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              List<Answer> answers = one(sale);
              all.addAll(answers);
              return Crowd.tally(answers).keySet().equals(Set.of("201 RESERVED"));
            });
    return all;
  }

  /** What the instance's readiness says about Kafka. */
  static String kafkaDetail(SluiceProcess instance) {
    return instance.part("kafka").getString("detail");
  }
}
