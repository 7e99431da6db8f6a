package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an operator may set and change of a SKU, and how it is shown. */
class SettingsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final int METRIC_LINES_MAX = 900;

  @Test
  void shouldOpenANewSkuWithoutTheWaitOfARebuild() {
    // given
    Call put = Call.put(url() + "/admin/skus/" + site.newSkuId());

    // when
    Answer created = site.http().ask(put.json("{\"total_stock\":10,\"buckets\":4}"));

    // then
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    assertThat(created.took()).isLessThan(Duration.ofMillis(2_400));
  }

  @Test
  void shouldKeepWhatTheFirstPutFixed() {
    // given
    Sale sale = site.sale().withStock(10).withBuckets(2).open();
    JsonObject same = new JsonObject().put("total_stock", 10).put("buckets", 2);

    // when
    Answer again = sale.put(same);
    Answer stock = sale.put(same.copy().put("total_stock", 11));
    Answer buckets = sale.put(same.copy().put("buckets", 3));
    Answer mode = sale.put(same.copy().put("mode", "direct"));

    // then
    assertThat(again.status()).isEqualTo(200);
    for (Answer conflict : new Answer[] {stock, buckets, mode}) {
      assertThat(conflict.status()).as("%s", conflict).isEqualTo(409);
      ApiRows.assertIsProblem(conflict);
    }
    assertThat(sale.ledger().total()).isEqualTo(10);
  }

  @Test
  void shouldCompareTotalStockWithTheFirstOneAfterARestock() {
    // given
    Sale sale = site.sale().withStock(10).open();
    sale.restock("r1", 5);

    // when
    Answer again = sale.put(new JsonObject().put("total_stock", 10));

    // then
    assertThat(again.status()).isEqualTo(200);
    assertThat(sale.ledger().total()).isEqualTo(15);
  }

  @Test
  void shouldChangeOtherSettings() {
    // given
    Sale sale = site.sale().withStock(10).withPaymentWindow(Duration.ofMinutes(5)).open();

    // when
    Answer changed =
        sale.put(
            new JsonObject()
                .put("total_stock", 10)
                .put("payment_window_s", 1_000)
                .put("limit_per_user", 1));

    // then
    assertThat(changed.status()).isEqualTo(200);
    JsonObject order = sale.order(Buyer.named("alice"), "k1").json();
    assertThat(Instant.parse(order.getString("pay_before")))
        .isAfter(Instant.now().plusSeconds(900));
    assertThat(sale.order(Buyer.named("alice"), "k2").brief()).isEqualTo("409 limit-reached");
  }

  @Test
  void shouldShowRedisAndLedgerSideBySide() {
    // given
    Sale sale = site.sale().withStock(10).withBuckets(2).withLimit(3).open();
    sale.pay(sale.order(Buyer.named("alice"), "k1", 2).token());

    // when
    Answer one = sale.look();
    Answer all = site.http().ask(Call.get(url() + "/admin/skus"));

    // then
    assertThat(one.status()).isEqualTo(200);
    assertThat(one.json().getLong("sku_id")).isEqualTo(sale.skuId());
    assertThat(one.json().getJsonArray("per_bucket")).hasSize(2);
    assertThat(all.status()).isEqualTo(200);
    assertThat(all.body()).contains(String.valueOf(sale.skuId()));
  }

  @Test
  void shouldCountWhatItDoesInSeriesOfABoundedNumber() {
    // given
    Sale sale = site.sale().withStock(1).open();
    assertThat(sale.order(Buyer.named("alice")).status()).isEqualTo(201);

    // when
    String metrics = site.http().ask(Call.get(url() + "/metrics")).body();

    // then
    assertThat(metrics).containsPattern("sluice_grants_total [1-9]");
    assertThat(metrics).doesNotContain("" + sale.skuId()).doesNotContain("alice");
    assertThat(metrics).as("a generated name").doesNotContainPattern("\"[0-9a-f]{8}-[0-9a-f]{4}-");
    assertThat(metrics.lines()).hasSizeLessThan(METRIC_LINES_MAX);
  }

  private static String url() {
    return site.instance(0).adminUrl();
  }
}
