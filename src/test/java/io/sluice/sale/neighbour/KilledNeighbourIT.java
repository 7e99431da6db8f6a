package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.LedgerReader.Held;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SaleTerms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The instance of either release is killed; the other one finishes what it has begun. */
class KilledNeighbourIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0).withFaults().setting("SLUICE_RESERVATION_COMMAND_WAIT_MS", 10_000);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration AGES = Duration.ofHours(1);
  private static final Duration BRIEF = Duration.ofSeconds(10);
  private static final int UNITS = 50_000;
  private static final int BUCKETS = 16;
  private static final int VISITORS = 8;
  private static final int ORDERS = 100;
  private static final List<Buyer> CROWD = Buyer.crowd(40);
  private static final Neighbours NEIGHBOURS = new Neighbours(site, Side.KEPT);

  /** While the rows of the owners are locked, nobody books. */
  private static final String OWNERS = "SELECT * FROM partition_fence FOR UPDATE";

  @BeforeEach
  void bringUp() {
    NEIGHBOURS.bringUp();
  }

  @ParameterizedTest
  @EnumSource
  void shouldFinishWhatTheOtherHasGranted(Side killed) {
    // given
    Sale sale = terms().withPaymentWindow(AGES).open();
    Sale brief = terms().withPaymentWindow(BRIEF).open();
    Sale theirs = NEIGHBOURS.at(killed, sale);
    Sale survivor = NEIGHBOURS.at(killed.other(), sale);
    List<Answer> granted = new ArrayList<>();

    // when
    Held held = site.ledger().hold(OWNERS);
    CROWD.forEach(buyer -> granted.add(theirs.order(buyer, "k1")));
    String unpaid = NEIGHBOURS.at(killed, brief).order(CROWD.get(0)).token();
    long bookedBefore = sale.tokens("PENDING").count();
    NEIGHBOURS.instance(killed).kill();
    held.close();

    // then
    List<String> tokens = granted.stream().map(Answer::token).toList();
    assertThat(bookedBefore).isZero();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(sale.tokens("PENDING")).containsExactlyInAnyOrderElementsOf(tokens));
    for (int i = 0; i < CROWD.size(); i++) {
      assertThat(survivor.order(CROWD.get(i), "k1").token()).isEqualTo(tokens.get(i));
    }
    assertThat(survivor.pay(tokens.get(0)).brief()).isEqualTo("200 CONFIRMED");
    assertThat(survivor.refund(tokens.get(0)).brief()).isEqualTo("200 REFUNDED");
    assertThat(survivor.cancel(CROWD.get(1), tokens.get(1)).brief()).isEqualTo("200 CANCELED");
    await().atMost(LIMIT).until(() -> brief.tokens("CANCELED").toList().contains(unpaid));
    await()
        .atMost(LIMIT)
        .until(() -> "TIMEOUT".equals(survivor.status(unpaid).json().getString("reason")));

    // The next life of the killed one continues what the survivor has begun.
    List<String> meanwhile =
        CROWD.stream().map(buyer -> survivor.order(buyer, "k2").token()).toList();
    bringUp();
    assertThat(theirs.pay(tokens.get(2)).brief()).isEqualTo("200 CONFIRMED");
    for (int i = 0; i < CROWD.size(); i++) {
      assertThat(theirs.order(CROWD.get(i), "k2").token()).isEqualTo(meanwhile.get(i));
    }
    assertThat(theirs.pay(meanwhile.get(0)).brief()).isEqualTo("200 CONFIRMED");
    Neighbours.assertNoErrors(site);
  }

  @Test
  void shouldSellOnWhenEachIsKilledInTurn() {
    // given
    Sale sale = terms().withPaymentWindow(AGES).open();
    Flow flow = Flow.of(site.vertx(), sale, VISITORS);
    flow.awaitOrders(ORDERS);

    // when
    for (Side side : List.of(Side.PRESENT, Side.KEPT, Side.PRESENT, Side.KEPT)) {
      NEIGHBOURS.instance(side).kill();
      flow.awaitOrders(ORDERS);
      NEIGHBOURS.bringUp();
      flow.awaitOrders(ORDERS);
    }
    flow.end();

    // then
    Aftermath.assertKept(site, sale, flow);
    Aftermath.assertSoldOutExactly(site, sale);
    Neighbours.assertNoErrors(site);
  }

  private static SaleTerms terms() {
    return site.sale().withStock(UNITS).withBuckets(BUCKETS);
  }
}
