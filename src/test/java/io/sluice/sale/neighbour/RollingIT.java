package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All instances are replaced by those of the other release, one after the other, as {@code
 * docs/deploy.md} says, while buyers order, pay and cancel: an upgrade, then its way back on the
 * same ledger.
 */
class RollingIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0).withFaults();

  private static final Duration AGES = Duration.ofHours(1);
  private static final int UNITS = 50_000;
  private static final int BUCKETS = 16;
  private static final int VISITORS = 8;
  private static final int INSTANCES = 2;
  private static final int ORDERS = 100;

  @BeforeEach
  void endAll() {
    for (SluiceProcess instance : site.instances()) {
      if (instance.isAlive()) {
        instance.terminate();
      }
    }
    Neighbours.keepTheWayBack(site);
  }

  @ParameterizedTest
  @EnumSource
  void shouldSellOnWhileInstancesAreReplaced(Side from) {
    // given
    List<SluiceProcess> leaving = instances(from);
    List<SluiceProcess> coming = instances(from.other());
    leaving.forEach(SluiceProcess::start);
    site.awaitReady();
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).withPaymentWindow(AGES).open();
    Flow flow = Flow.of(site.vertx(), sale, VISITORS);
    flow.awaitOrders(ORDERS);

    // when
    List<Integer> codes = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      codes.add(leaving.get(i).terminate().code());
      flow.awaitOrders(ORDERS);
      coming.get(i).start().awaitReady();
      flow.awaitOrders(ORDERS);
    }
    flow.end();

    // then
    assertThat(codes).containsOnly(0);
    Aftermath.assertKept(site, sale, flow);
    Aftermath.assertSoldOutExactly(site, sale);
    assertThat(sale.refund(flow.paid().get(0)).brief()).isEqualTo("200 REFUNDED");
    Neighbours.assertNoErrors(site);
  }

  private static List<SluiceProcess> instances(Side side) {
    return Stream.generate(() -> site.newInstance(Map.of(), side.release()))
        .limit(INSTANCES)
        .toList();
  }
}
