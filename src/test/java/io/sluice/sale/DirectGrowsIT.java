package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A service that began with a database alone gets Redis and Kafka. */
class DirectGrowsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  @Test
  void shouldSellFastSkusAsWellOnceThereAreRedisAndKafka() {
    // given
    SluiceProcess alone =
        site.newInstance(Map.of("SLUICE_REDIS_URI", "", "SLUICE_KAFKA_BOOTSTRAP_SERVERS", ""))
            .start()
            .awaitReady();
    Sale direct = site.sale().withStock(5).direct().open();
    String before = direct.order(ALICE).token();
    alone.terminate();

    // when
    site.newInstance(Map.of()).start().awaitReady();
    Sale fast = site.sale().withStock(5).open();
    String after = direct.order(BOB).token();
    String sold = fast.order(ALICE).brief();
    direct.pay(before);

    // then
    assertThat(sold).isEqualTo("201 RESERVED");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              OrderEvents events = new OrderEvents(site);
              assertThat(events.statuses(before)).contains("CONFIRMED");
              assertThat(events.statuses(after)).containsExactly("PENDING");
            });
  }
}
