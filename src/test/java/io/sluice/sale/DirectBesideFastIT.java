package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A service with Redis and Kafka sells SKUs of both modes. */
class DirectBesideFastIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  @Test
  void shouldSellBothSideBySide() {
    // given
    Sale fast = site.sale().withStock(5).open();
    Sale direct = site.sale().withStock(5).withBuckets(2).direct().open();

    // when
    List<Answer> answers =
        List.of(fast.order(ALICE), direct.order(ALICE, "", 5), direct.order(BOB));
    String token = answers.get(1).token();
    Answer paid = direct.pay(token);
    Answer refunded = direct.refund(token);

    // then
    assertThat(answers)
        .extracting(Answer::brief)
        .containsExactly("201 RESERVED", "201 PENDING", "409 sold-out");
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    assertThat(refunded.brief()).isEqualTo("200 REFUNDED");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(new OrderEvents(site).statuses(token))
                    .containsExactly("PENDING", "CONFIRMED", "REFUNDED"));
    assertThat(site.stock().keysOf(direct.skuId())).isEmpty();
    assertThat(direct.look().json().getJsonArray("per_bucket").getJsonObject(0).getValue("redis"))
        .isNull();
  }

  @Test
  void shouldEndDirectOrdersThatNobodyPays() {
    // given
    Sale direct = site.sale().withStock(1).withPaymentWindow(Duration.ofSeconds(1)).direct().open();

    // when
    String token = direct.order(ALICE).token();

    // then
    await().atMost(LIMIT).until(() -> direct.status(token).brief().equals("200 CANCELED"));
    assertThat(direct.order(BOB).brief()).isEqualTo("201 PENDING");
  }

  @Test
  void shouldEndADirectSku() {
    // given
    Sale direct = site.sale().withStock(2).direct().open();
    String token = direct.order(ALICE).token();
    direct.pay(token);

    // when
    await().atMost(LIMIT).until(() -> direct.end().status() == 200);

    // then
    assertThat(direct.status(token).brief()).isEqualTo("200 CONFIRMED");
    await().atMost(LIMIT).until(() -> direct.order(BOB).brief().equals("409 not-open"));
  }

  @Test
  void shouldOrderDirectSkusTogetherButNotWithFastOnes() {
    // given
    JsonObject terms = new JsonObject().put("total_stock", 5);
    CartSale sale = CartSale.open(site, 2, terms.copy().put("mode", "direct"), new JsonObject());
    long fast = site.newSkuId();
    JsonObject more = SaleBodies.of("Carts", List.of(fast), terms).put("carts", true);
    site.putSale(sale.saleId(), more);
    JsonArray mixed = sale.lines(0, 1).add(new JsonObject().put("sku_id", fast).put("qty", 1));

    // when
    Answer direct = sale.order(ALICE, "", sale.lines(0, 1, 1, 2));
    Answer again = sale.order(ALICE, "", sale.lines(1, 2, 0, 1));
    Answer both = sale.order(ALICE, "", mixed);
    Answer alone = sale.sku(0).order(ALICE);
    Answer fastAlone = site.known(fast).order(ALICE);
    Answer paid = sale.sku(0).pay(direct.token());
    long sold = sale.sku(1).ledger().sold();
    Answer refunded = sale.sku(0).refund(direct.token());

    // then
    assertThat(direct.brief()).isEqualTo("201 PENDING");
    assertThat(direct.json().getJsonArray("lines")).hasSize(2);
    assertThat(again.brief()).isEqualTo("200 PENDING");
    assertThat(again.token()).isEqualTo(direct.token());
    assertThat(both.brief()).isEqualTo("422 not-together");
    assertThat(both.json().getLong("sku_id")).isEqualTo(fast);
    assertThat(both.json().getString("detail")).contains("of mode direct, but SKU");
    assertThat(alone.brief()).isEqualTo("201 PENDING");
    assertThat(fastAlone.brief()).isEqualTo("201 RESERVED");
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    assertThat(sold).isEqualTo(2);
    assertThat(refunded.brief()).isEqualTo("200 REFUNDED");
    assertThat(sale.sku(1).ledger().sold()).isZero();
  }

  @Test
  void shouldNotStartWithoutAnOrderLogWhenTheLedgerHasOne() {
    // given
    SluiceProcess alone =
        site.newInstance(Map.of("SLUICE_REDIS_URI", "", "SLUICE_KAFKA_BOOTSTRAP_SERVERS", ""));

    // when
    alone.start();

    // then
    assertThat(alone.awaitExit().code()).isEqualTo(2);
    assertThat(alone.log()).contains("the ledger has an order log");
  }
}
