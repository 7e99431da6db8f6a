package io.sluice.crash;

import static io.sluice.crash.LostLog.ADOPT;
import static io.sluice.crash.LostLog.LIMIT;
import static io.sluice.crash.LostLog.assertPaid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Instances are killed one after the other, each one step further in the adoption of a new log. */
class AdoptLogKillsIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).withServersOfItsOwn(ServerOptions.none()).withFaults();

  private static final int UNITS = 100;
  private static final int BUCKETS = 4;

  /** The first two are in the transaction, of which nothing must remain. */
  private static final List<String> ADOPTING =
      List.of("none/change_foundation", "none/reset_fence", "ledger.takeOver:before");

  private static final List<String> BOOKING =
      List.of(
          "ledger.takeOver/commit",
          "consumer.startAt:before",
          "stock.freeze:after",
          "ledger.apply/insert_holds",
          "stock.book:before",
          "ledger.raiseEpoch/commit",
          "stock.load:after",
          "stock.open:before",
          "ledger.answerRequests:before");

  @TempDir static Path folder;

  @Test
  void shouldLoseNoYesWhenInstancesDieAtEachStep() {
    // given
    LostLog log = new LostLog(site);
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).open();
    String paid = sale.order(Buyer.named("alice")).token();
    assertPaid(sale, paid);
    List<String> unbooked = log.lose(sale);
    Suspect adopter = new Suspect(site, folder, "adopter", Map.of());
    adopter.process().withArguments(ADOPT);
    Suspect owner = new Suspect(site, folder, "owner", Map.of());
    List<Boolean> named = new ArrayList<>();

    // when
    try (var group = new GroupMembers(site.backends().kafka().bootstrapServers(), site.group())) {
      for (String step : ADOPTING) {
        log.forgetKilledInstances();
        adopter.startToBeKilledAt(step, group, LIMIT);
        named.add(adopter.process().log().contains("adopting a new order log; records"));
      }
      for (String step : BOOKING) {
        owner.startToBeKilledAt(step, group, LIMIT);
      }
      group.evict();
    }
    owner.tell(List.of());
    owner.process().start().awaitReady();

    // then
    assertThat(named).hasSize(ADOPTING.size()).containsOnly(true);
    assertThat(unbooked).isNotEmpty();
    sale.awaitBooked(unbooked);
    await().atMost(LIMIT).until(() -> sold(sale) + available(sale) == UNITS);
    assertThat(sale.tokens("CONFIRMED")).containsExactly(paid);
    assertPaid(sale, unbooked.get(0));
    assertThat(sale.refund(paid).brief()).isEqualTo("200 REFUNDED");
    await()
        .atMost(LIMIT)
        .until(() -> sale.order(Buyer.named("bob")).brief().equals("201 RESERVED"));
  }

  /** The units of all orders that hold some. */
  private static long sold(Sale sale) {
    return sale.tokens("PENDING", "CONFIRMED").count();
  }

  private static long available(Sale sale) {
    return IntStream.range(0, BUCKETS)
        .mapToLong(bucket -> site.stock().available(sale.skuId(), bucket))
        .sum();
  }
}
