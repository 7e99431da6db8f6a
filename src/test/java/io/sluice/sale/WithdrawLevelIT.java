package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** While an instance may run that would put their units back on sale, no refund withdraws any. */
class WithdrawLevelIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(1).withServersOfItsOwn(ServerOptions.none());

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final JsonObject NOT_AGAIN = new JsonObject().put("restock", false);
  private static final String OLD_INSTANCE =
      "INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, level,"
          + " seen_at) SELECT 'old', 1, 1, 6, MAX(seen_at) FROM service_instance";

  private static void run(String sql) {
    assertThat(site.ledger().query(sql, row -> row)).isEmpty();
  }

  @Test
  void shouldRefuseItUntilNoOlderInstanceMayRun() {
    // given
    Sale sale = site.sale().withStock(3).open();
    String token = sale.order(Buyer.named("alice")).token();
    sale.pay(token);
    run(OLD_INSTANCE);
    JsonObject ofJob =
        new JsonObject()
            .put("action", "refund-paid")
            .put("sku_id", sale.skuId())
            .put("restock", false);

    // when
    Answer refund = sale.tell(token, "/refund", NOT_AGAIN);
    Answer job = site.desk("PUT", "/admin/jobs/early", ofJob);
    Answer after = sale.status(token);
    run("DELETE FROM service_instance WHERE instance_id = 'old'");

    // then
    assertThat(List.of(refund.brief(), job.brief())).containsOnly("503 busy");
    assertThat(refund.json().getString("detail")).contains("restock: false", "Levels");
    assertThat(after.brief()).isEqualTo("200 CONFIRMED");
    await()
        .atMost(LIMIT)
        .until(() -> sale.tell(token, "/refund", NOT_AGAIN).brief().equals("200 REFUNDED"));
    assertThat(sale.ledger().total()).isEqualTo(2);
    assertThat(site.ledger().count("SELECT MIN(level) FROM instance_level")).isEqualTo(7);
  }
}
