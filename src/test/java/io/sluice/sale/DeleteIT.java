package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What was made by mistake is deleted before its first order, and made again. */
class DeleteIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final Endings endings = new Endings(site, LIMIT);

  private static String delete(Sale sale) {
    return site.desk("DELETE", "/admin/skus/" + sale.skuId()).brief();
  }

  private static Stream<Sale> everywhere(Sale sale) {
    return site.instances().stream().map((SluiceProcess instance) -> sale.at(instance));
  }

  /** Each instance knows the SKU then, with its bucket. */
  private static List<String> refusedEverywhere(Sale sale) {
    return everywhere(sale).map(at -> at.order(BOB, "all", 11).brief()).toList();
  }

  private String yes(Sale sale, Buyer buyer) {
    return await()
        .atMost(LIMIT)
        .until(() -> sale.order(buyer), answer -> answer.status() == 201 || answer.status() == 200)
        .token();
  }

  @Test
  void shouldSellASkuThatWasDeletedAndMadeAgainWithOtherUnits() {
    // given
    Sale sale = site.sale().withStock(10).open();
    List<String> known = refusedEverywhere(sale);
    String early = delete(sale);
    endings.awaitEnded(sale);

    // when
    String deleted = delete(sale);
    String repeated = delete(sale);

    // then
    assertThat(known).containsOnly("409 sold-out");
    assertThat(List.of(early, deleted.substring(0, 3), repeated))
        .containsExactly("409 not-ended", "200", "404 unknown-sku");
    assertThat(everywhere(sale).map(at -> endings.answered(at, ALICE)))
        .containsOnly("404 unknown-sku");
    assertThat(sale.look().brief()).isEqualTo("404 unknown-sku");

    // when
    Answer again = sale.put(new JsonObject().put("total_stock", 2).put("name", "Case"));

    // then
    assertThat(again.status()).isEqualTo(201);
    List<String> tokens = everywhere(sale).map(at -> yes(at, ALICE)).distinct().toList();
    assertThat(tokens).hasSize(1);
    assertThat(sale.pay(tokens.get(0)).brief()).isEqualTo("200 CONFIRMED");
    assertThat(yes(sale, BOB)).isNotEqualTo(tokens.get(0));
    assertThat(endings.answered(sale, Buyer.named("carol"))).isEqualTo("409 sold-out");
    assertThat(site.ledger().skusInDisagreement()).isZero();
  }

  /** A yes may be on its way to the ledger, and a hold may still be paid. */
  @Test
  void shouldKeepASkuWhileAnOrderIsOnItsWayAndForEverAfterIt() {
    // given
    Sale sale = endings.opened();
    String token = sale.order(ALICE).token();

    // when
    String atOnce = delete(sale);
    sale.end();
    String ending = delete(sale);
    sale.cancel(ALICE, token);
    endings.awaitEnded(sale);
    String ended = delete(sale);

    // then
    assertThat(List.of(atOnce, ending)).isSubsetOf("409 not-ended", "409 has-orders");
    assertThat(ended).isEqualTo("409 has-orders");
    assertThat(sale.status(ALICE, token).brief()).isEqualTo("200 CANCELED");
  }

  @Test
  void shouldDeleteASaleWithItsSkusUnlessOneHasAnOrder() {
    // given
    SaleToEnd wrong = new SaleToEnd(site);
    wrong.put();
    SaleToEnd sold = new SaleToEnd(site);
    sold.put();
    Sale bought = site.known(sold.skus().get(1));
    bought.cancel(ALICE, yes(bought, ALICE));
    String early = deleted(wrong).brief();
    for (SaleToEnd sale : List.of(wrong, sold)) {
      await().atMost(LIMIT).until(() -> sale.tell("end").status() == 200);
    }

    // when
    Answer done = deleted(wrong);
    Answer refused = deleted(sold);

    // then
    assertThat(early).isEqualTo("409 not-ended");
    assertThat(done.json()).isEqualTo(new JsonObject().put("sale_id", wrong.id()));
    assertThat(deleted(wrong).brief()).isEqualTo("404 unknown-sale");
    assertThat(refused.brief()).isEqualTo("409 has-orders");
    assertThat(refused.json().getLong("sku_id")).isEqualTo(bought.skuId());
    assertThat(sold.view().getInteger("sku_count")).isEqualTo(3);
    for (long skuId : wrong.skus()) {
      assertThat(site.known(skuId).look().brief()).isEqualTo("404 unknown-sku");
      endings.awaitGone(skuId);
    }

    // when
    wrong.put();

    // then
    assertThat(yes(site.known(wrong.skus().get(0)), BOB)).isNotEmpty();
  }

  private static Answer deleted(SaleToEnd sale) {
    return site.desk("DELETE", "/admin/sales/" + sale.id());
  }
}
