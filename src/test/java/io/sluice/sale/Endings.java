package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;

/**
 * SKUs that are sold and then end.
 *
 * @param limit for each wait
 */
public record Endings(SaleSite site, Duration limit) {
  public Sale opened() {
    return site.sale().withStock(10).withBuckets(4).withPaymentWindow(Duration.ofHours(1)).open();
  }

  /** The token of an order that the buyer has paid. */
  public String paid(Sale sale, Buyer buyer) {
    String token = sale.order(buyer).token();
    assertThat(sale.pay(token).brief()).isEqualTo("200 CONFIRMED");
    return token;
  }

  public void awaitEnded(Sale sale) {
    await().atMost(limit).until(() -> sale.end().status() == 200);
    awaitGone(sale.skuId());
  }

  /** Until Redis has nothing of it. */
  public void awaitGone(long skuId) {
    await().atMost(limit).until(() -> site.stock().keysOf(skuId).isEmpty());
  }

  /** The first request may still find its SKU as it was, and Redis without it. */
  public String answered(Sale sale, Buyer buyer) {
    return await()
        .atMost(limit)
        .until(() -> sale.order(buyer).brief(), answer -> !answer.startsWith("503"));
  }
}
