package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.Endings;
import io.sluice.sale.SaleToEnd;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
  private static final Duration LIMIT_OF_SKU = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final SaleToEnd sale = new SaleToEnd(site);
  private final List<Long> skus = sale.skus();
  private final Endings endings = new Endings(site, LIMIT_OF_SKU);

  @Test
  void shouldEndOnceRedisIsBack() {
    // given
    Sale sku = endings.opened();
    endings.paid(sku, ALICE);
    site.backends().redis().kill();
    int begun = sku.end().status();

    // when
    site.backends().redis().start();

    // then
    endings.awaitEnded(sku);
    assertThat(begun).isEqualTo(202);
    assertThat(endings.answered(sku, ALICE)).isEqualTo("200 CONFIRMED");
  }

  /** The buckets of its first sale are in several partitions, those of a sale with carts in one. */
  @Test
  void shouldLeaveNothingWhereItWasWhenAnOlderRedisComesBackDuringItsNextSale() {
    // given
    Sale sku = endings.opened();
    endings.paid(sku, ALICE);
    Set<String> before = partitionsInRedis(sku);
    Path older = site.backends().redis().saveAppendOnlyFile();
    endings.awaitEnded(sku);
    putWithCarts(sku.skuId());
    Set<String> moved = partitionsInRedis(sku);

    // when
    site.backends().redis().kill();
    site.backends().redis().restoreAppendOnlyFile(older);
    site.backends().redis().start();

    // then
    assertThat(before.size()).isGreaterThan(1);
    assertThat(moved).hasSize(1);
    await().atMost(LIMIT).until(() -> sku.order(BOB).status() == 201);
    await().atMost(LIMIT).until(() -> partitionsInRedis(sku).equals(moved));
  }

  private static void putWithCarts(long skuId) {
    JsonObject terms = new JsonObject().put("total_stock", 10).put("buckets", 4);
    JsonObject body = SaleBodies.of("next week", List.of(skuId), terms).put("carts", true);
    site.putSale("next-" + skuId, body);
  }

  /** The tags of its keys. */
  private static Set<String> partitionsInRedis(Sale sku) {
    return site.stock().keysOf(sku.skuId()).stream()
        .map(key -> key.substring(key.indexOf('{'), key.indexOf('}') + 1))
        .collect(Collectors.toSet());
  }

  @Test
  void shouldEndOnceTheLedgerIsBack() {
    // given
    Sale sku = endings.opened();
    endings.paid(sku, ALICE);
    sku.end();
    site.backends().mysql().kill();

    // when
    site.backends().mysql().start();

    // then
    endings.awaitEnded(sku);
    assertThat(endings.answered(sku, ALICE)).isEqualTo("200 CONFIRMED");
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
    skus.forEach(endings::awaitGone);
    victim.start().awaitReady();
  }

  @Test
  void shouldGoOnOnceRedisAndTheLedgerAreBack() {
    // given
    sale.put();
    skus.forEach(skuId -> endings.paid(site.known(skuId), ALICE));
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
    skus.forEach(endings::awaitGone);
    assertThat(endings.answered(site.known(skus.get(0)), ALICE)).isEqualTo("200 CONFIRMED");
  }
}
