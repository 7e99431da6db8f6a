package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redis and the ledger are compared, and a difference is repaired. */
class ReconcileIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).setting("SLUICE_RECONCILE_INTERVAL_MS", 86_400_000).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static int drift(List<JsonObject> reports) {
    return reports.stream().mapToInt(report -> report.getInteger("drift")).sum();
  }

  @Test
  void shouldRepairOnceWhenRedisIsTamperedWith() {
    // given
    Sale sale = site.sale().withStock(10).open();
    sale.pay(sale.order(Buyer.named("alice"), "k1", 3).token());
    await().atMost(LIMIT).until(() -> sale.ledger().available() == 7);
    List<JsonObject> sound = site.reconciled();
    site.stock().plantClaimed(sale.skuId(), 0, 2);

    // when
    List<JsonObject> found = site.reconciled();

    // then
    assertThat(drift(sound)).isZero();
    assertThat(sound).hasSize(site.partitions());
    assertThat(drift(found)).isEqualTo(1);
    await().atMost(LIMIT).until(() -> site.stock().available(sale.skuId(), 0) == 7);
    await().atMost(LIMIT).until(() -> sale.order(Buyer.named("bob"), "k2", 1).status() == 201);
    assertThat(drift(site.reconciled())).isZero();
    Answer shown = site.desk("GET", "/admin/drift");
    assertThat(shown.json().getJsonArray("reports")).hasSize(site.partitions());
    assertThat(shown.json().getJsonArray("corrections")).hasSize(1);
    assertThat(shown.json().getJsonArray("corrections").getJsonObject(0).getString("what"))
        .isEqualTo(sale.skuId() + ":0");
    assertThat(MetricsPage.value(site, "sluice_ledger_corrections_total")).isEqualTo(1);
  }
}
