package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.SaleToEnd;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers and instances that are away while a SKU, or a whole sale, ends. */
class EndOutageIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2)
          .withFaults()
          .withServersOfItsOwn(ServerOptions.none())
          .setting("SLUICE_MYSQL_TIMEOUT_MS", 2_000);

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Buyer ALICE = Buyer.named("alice");

  private final SaleToEnd sale = new SaleToEnd(site);
  private final List<Long> skus = sale.skus();

  @Test
  void shouldEndOnceRedisIsBack() {
    // given
    Sale sku = opened();
    paid(sku);
    site.backends().redis().kill();
    int begun = sku.end().status();

    // when
    site.backends().redis().start();

    // then
    awaitEnded(sku);
    assertThat(begun).isEqualTo(202);
    assertThat(answered(sku)).isEqualTo("200 CONFIRMED");
  }

  @Test
  void shouldEndOnceTheLedgerIsBack() {
    // given
    Sale sku = opened();
    paid(sku);
    sku.end();
    site.backends().mysql().kill();

    // when
    site.backends().mysql().start();

    // then
    awaitEnded(sku);
    assertThat(answered(sku)).isEqualTo("200 CONFIRMED");
  }

  @Test
  void shouldGoOnAtAnotherInstanceWhenTheOneThatBeganIsKilled() {
    // given
    sale.put();
    Sale last = site.known(skus.get(2));
    String held = last.order(ALICE).token();
    SluiceProcess victim = site.instance(1);
    int begun =
        site.http()
            .ask(Call.of("POST", victim.adminUrl() + "/admin/sales/" + sale.id() + "/end"))
            .status();

    // when
    victim.kill();
    await()
        .atMost(LIMIT)
        .until(() -> sale.view().getJsonObject("states").getInteger("ENDED", 0) == skus.size() - 1);
    String whileHeld = sale.view().getString("state");
    await().atMost(LIMIT).until(() -> last.cancel(ALICE, held).brief().equals("200 CANCELED"));

    // then
    await().atMost(LIMIT).until(() -> sale.view().getString("state").equals("ENDED"));
    assertThat(begun).isEqualTo(202);
    assertThat(whileHeld).isEqualTo("ENDING");
    skus.forEach(EndOutageIT::awaitGone);
    victim.start().awaitReady();
  }

  @Test
  void shouldGoOnOnceRedisAndTheLedgerAreBack() {
    // given
    sale.put();
    skus.forEach(skuId -> paid(site.known(skuId)));
    site.backends().redis().kill();
    int begun = sale.tell("end").status();
    site.backends().mysql().kill();

    // when
    site.backends().mysql().start();
    site.backends().redis().start();

    // then
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> sale.view().getString("state").equals("ENDED"));
    assertThat(begun).isEqualTo(202);
    skus.forEach(EndOutageIT::awaitGone);
    assertThat(answered(site.known(skus.get(0)))).isEqualTo("200 CONFIRMED");
  }

  // ---- shorthand

  private static Sale opened() {
    return site.sale().withStock(10).withBuckets(4).withPaymentWindow(Duration.ofHours(1)).open();
  }

  private static void paid(Sale sku) {
    String token = sku.order(ALICE).token();
    assertThat(sku.pay(token).brief()).isEqualTo("200 CONFIRMED");
  }

  private static void awaitEnded(Sale sku) {
    await().atMost(LIMIT).until(() -> sku.end().status() == 200);
    awaitGone(sku.skuId());
  }

  private static void awaitGone(long skuId) {
    await().atMost(LIMIT).until(() -> site.stock().keysOf(skuId).isEmpty());
  }

  /** The first one may still find its SKU as it was, and Redis without it. */
  private static String answered(Sale sku) {
    return await()
        .atMost(LIMIT)
        .until(() -> sku.order(ALICE).brief(), answer -> !answer.startsWith("503"));
  }
}
