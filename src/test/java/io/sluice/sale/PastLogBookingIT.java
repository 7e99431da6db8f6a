package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.register.Moves;
import io.sluice.testkit.server.Backend;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A sale that continues while the order log is down, within the budget for bookings past the log.
 */
class PastLogBookingIT {
  private static final int PER_S = 20;

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).withFaults().setting("SLUICE_RESERVATION_DIRECT_PER_S", PER_S);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int UNITS = 5_000;
  private static final int VISITORS = 20;

  private final Newcomers newcomers = new Newcomers();

  @Test
  @Moves({
    "sluice_direct_bookings_total",
    "sluice_direct_bookings_refused_total",
    "sluice_log_appends_failed_total"
  })
  void shouldSellWithinTheBudgetWhenTheBrokerDiesInMidSale() {
    // given
    Backend broker = Backends.shared().kafka();
    assumeThat(broker.killable())
        .as("%s was started by the tests, so it can be stopped", broker.describe())
        .isTrue();
    Sale sale = site.sale().withStock(UNITS).open();
    Future<List<Answer>> before = site.crowd(VISITORS).start(newcomers.orders(sale, 1_000));
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() > 100);

    List<Answer> meanwhile = new ArrayList<>();
    broker.kill();
    try {
      // when
      await().atMost(LIMIT).until(() -> newcomers.brief(sale).equals("201 PENDING"));
      long beganNs = System.nanoTime();
      // The budget may have been spent on the requests before.
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                meanwhile.addAll(site.crowd(VISITORS).send(newcomers.orders(sale, 200)));
                return Crowd.tally(meanwhile).containsKey("201 PENDING");
              });
      long seconds = Duration.ofNanos(System.nanoTime() - beganNs).toSeconds() + 1;

      // then
      assertThat(Crowd.tally(meanwhile))
          .containsKeys("201 PENDING", "503 busy")
          .doesNotContainKey("201 RESERVED");
      assertThat(meanwhile).allMatch(Answer::came);
      assertThat(Newcomers.yeses(meanwhile))
          .hasSizeLessThanOrEqualTo((int) (PER_S + PER_S * seconds));
      assertThat(sale.tokens("PENDING")).containsAll(Newcomers.yeses(meanwhile));
    } finally {
      broker.start();
    }
    assertThat(Crowd.await(before)).allMatch(Answer::came);
    await().atMost(LIMIT).until(() -> newcomers.brief(sale).equals("201 RESERVED"));
    assertThat(sale.tokens("PENDING")).containsAll(Newcomers.yeses(meanwhile));
  }
}
