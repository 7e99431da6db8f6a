package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.Answer;
import io.sluice.testkit.Buyer;
import io.sluice.testkit.FaultProxy;
import io.sluice.testkit.Sale;
import io.sluice.testkit.SaleSite;
import io.sluice.testkit.SluiceProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An instance that cannot reach a store leaves its partitions to one that can. */
class CutOffIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  /** 15 s until it leaves, 5 s for what it has in flight, and the hand-over. */
  private static final Duration LIMIT = Duration.ofSeconds(45);

  @Test
  void shouldLeaveItsPartitionsToTheOtherWhenItIsCutOffFromTheLedger() {
    FaultProxy ledger = FaultProxy.inFrontOf(site.setting("SLUICE_MYSQL_URI"));
    try {
      // given
      SluiceProcess cut =
          site.newInstance(Map.of("SLUICE_MYSQL_URI", ledger.uri())).start().awaitReady();
      Sale sale = site.sale().withStock(1_000).withBuckets(16).open();
      await().atMost(LIMIT).until(() -> cut.log().contains("partition taken over"));

      // when
      ledger.refuse();
      ledger.cut();
      List<String> tokens = orders(sale, "meanwhile-");

      // then
      await().atMost(LIMIT).until(() -> cut.log().contains("this instance leaves the group"));
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(sale.tokens("PENDING")).containsAll(tokens));

      // and when
      long takenBefore = takenOver(cut);
      ledger.heal();

      // then
      await().atMost(LIMIT).until(() -> takenOver(cut) > takenBefore);
      List<String> later = orders(sale, "later-");
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(sale.tokens("PENDING")).containsAll(later));
      cut.terminate();
    } finally {
      ledger.close();
    }
  }

  private static long takenOver(SluiceProcess instance) {
    return instance.log().lines().filter(line -> line.contains("partition taken over")).count();
  }

  /** Enough that each partition has some; granted by the instance that reaches all. */
  private static List<String> orders(Sale sale, String prefix) {
    return IntStream.range(0, 60)
        .mapToObj(i -> sale.at(site.instance(0)).order(Buyer.named(prefix + i)))
        .filter(Answer::isYes)
        .map(Answer::token)
        .toList();
  }
}
