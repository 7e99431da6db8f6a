package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ends that come by themselves, or are held up; they are looked at every 30 s, so this takes long.
 */
class StandingEndIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).withFaults().setting("SLUICE_SALE_END_AFTER_S", 5);

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String ENDING = "sluice_sales_ending";
  private static final String STANDS_S = "sluice_sale_end_stands_seconds";

  private final SaleToEnd sale = new SaleToEnd(site);

  @Test
  @Moves({"sluice_sales_ending", "sluice_sale_end_stands_seconds"})
  void shouldShowThatAnEndStandsUntilItsFrozenSkuIsUnfrozen() {
    // given
    sale.put();
    Sale frozen = site.known(sale.skus().get(1));
    frozen.freeze();

    // when
    sale.tell("end");

    // then
    await().atMost(LIMIT).until(() -> MetricsPage.value(site, ENDING) == 1);
    await().atMost(LIMIT).until(() -> MetricsPage.value(site, STANDS_S) >= 30);
    assertThat(sale.view().getJsonObject("states"))
        .isEqualTo(new JsonObject().put("FROZEN", 1).put("ENDED", 2));
    frozen.unfreeze();
    await().atMost(LIMIT).until(() -> sale.view().getString("state").equals("ENDED"));
    await().atMost(LIMIT).until(() -> MetricsPage.value(site, STANDS_S) == 0);
  }

  @Test
  void shouldEndByItselfLongAfterItHasClosed() {
    // given
    sale.send(sale.body(Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.MILLIS).toString()));

    // when
    await().atMost(LIMIT).until(() -> sale.view().getString("state").equals("ENDED"));

    // then
    assertThat(sale.view().getJsonObject("states")).isEqualTo(new JsonObject().put("ENDED", 3));
    sale.skus().forEach(new Endings(site, LIMIT)::awaitGone);
  }
}
