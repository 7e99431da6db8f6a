package io.sluice.crash;

import static io.sluice.crash.LostLog.ADOPT;
import static io.sluice.crash.LostLog.LIMIT;
import static io.sluice.crash.LostLog.assertPaid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kafka is lost with everything in it, under a sale. */
class AdoptLogIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).withServersOfItsOwn(ServerOptions.none()).withFaults();

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final String ADOPTING = "adopting a new order log; records of the old one";
  private static final String ADOPTED = "a new order log is adopted";
  private static final String TAKEN_OVER = "partition taken over";

  @Test
  void shouldLoseNoYesAndGoOnSellingWhenANewLogIsAdopted() {
    // given
    LostLog log = new LostLog(site);
    Sale sale = site.sale().withStock(100).withBuckets(4).open();
    String paid = sale.order(ALICE).token();
    assertPaid(sale, paid);
    List<String> unbooked = log.lose(sale);

    // when
    SluiceProcess plain = site.newInstance(Map.of()).start();
    int refused = plain.awaitExit().code();
    log.rememberKilledInstances();
    SluiceProcess early = site.newInstance(Map.of()).withArguments(ADOPT).start();
    int tooEarly = early.awaitExit().code();
    log.forgetKilledInstances();
    SluiceProcess adopting = site.newInstance(Map.of()).withArguments(ADOPT).start();
    await().atMost(LIMIT).until(() -> adopting.log().contains(ADOPTED));
    adopting.kill();
    SluiceProcess again = site.newInstance(Map.of()).withArguments(ADOPT).start();
    int nothingLeft = again.awaitExit().code();
    SluiceProcess dying = site.newInstance(Map.of()).start();
    await().atMost(LIMIT).until(() -> dying.log().contains(TAKEN_OVER));
    dying.kill();
    SluiceProcess next = site.newInstance(Map.of()).start().awaitReady();

    // then
    assertThat(List.of(refused, tooEarly, nothingLeft)).containsOnly(2);
    assertThat(plain.log()).contains("start one with --adopt-log");
    assertThat(early.log())
        .contains("Expected no instance to run while an order log is adopted")
        .doesNotContain(ADOPTING);
    assertThat(adopting.log().indexOf(ADOPTING)).isBetween(0, adopting.log().indexOf(ADOPTED));
    assertThat(again.log()).contains("start without --adopt-log");
    assertThat(unbooked).isNotEmpty();
    sale.awaitBooked(unbooked);
    assertThat(adopting.log() + dying.log() + next.log())
        .contains("grants that only Redis still knows are booked")
        .doesNotContain("ALARM:");
    assertPaid(sale, unbooked.get(0));
    assertThat(sale.refund(paid).brief()).isEqualTo("200 REFUNDED");
    await().atMost(LIMIT).until(() -> sale.order(BOB).brief().equals("201 RESERVED"));
  }
}
