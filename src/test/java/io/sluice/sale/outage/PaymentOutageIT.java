package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.MetricsPage;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** For a while nobody could pay, through no fault of the buyers. */
class PaymentOutageIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration WINDOW = Duration.ofSeconds(6);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  @Test
  @Moves("sluice_payments_interrupted_total")
  void shouldTakeThePaymentAfterwardsWhenTheLogWasAwayForLongerThanTheTimeToPay() {
    // given
    KafkaBackend broker = site.backends().kafka();
    assumeThat(broker.killable())
        .as("%s was started by the tests, so it can be stopped", broker.describe())
        .isTrue();
    Sale sale = site.sale().withStock(10).withPaymentWindow(WINDOW).open();
    String alice = sale.order(ALICE).token();
    String bob = sale.order(BOB).token();
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 2);

    // when
    broker.kill();
    long startNs = System.nanoTime();
    String whileAway;
    try {
      Duration outage = WINDOW.multipliedBy(3);
      await().atMost(LIMIT).until(() -> System.nanoTime() - startNs > outage.toNanos());
      whileAway = sale.pay(alice).brief();
    } finally {
      broker.start();
    }
    await()
        .atMost(LIMIT)
        .until(() -> MetricsPage.value(site, "sluice_payments_interrupted_total") >= 1);
    await().atMost(LIMIT).until(() -> sale.pay(alice).status() == 200);

    // then
    assertThat(whileAway).startsWith("503");
    await().atMost(LIMIT).until(() -> sale.status(alice).brief().equals("200 CONFIRMED"));
    assertThat(site.instance(0).log()).contains("payments were impossible during an outage");
    await().atMost(LIMIT).until(() -> sale.status(bob).brief().equals("200 CANCELED"));
  }
}
