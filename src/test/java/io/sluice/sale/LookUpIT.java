package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders are found by their buyer, the caller's name for them, and their payments. */
class LookUpIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static Answer own(Buyer buyer, String query) {
    return site.http().ask(Call.get(site.instance(0).url() + "/v1/orders" + query).as(buyer));
  }

  private static Answer place(Buyer buyer, String key, JsonObject body) {
    return site.http()
        .ask(
            Call.post(site.instance(0).url() + "/v1/orders")
                .as(buyer)
                .header("Idempotency-Key", key)
                .json(body.encode()));
  }

  private static List<String> tokens(Answer page) {
    return page.json().getJsonArray("orders").stream()
        .map(order -> ((JsonObject) order).getString("order_token"))
        .toList();
  }

  private static void found(String query, String... tokens) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(tokens(site.desk("GET", "/admin/orders?" + query)))
                    .containsExactly(tokens));
  }

  @Test
  void shouldFindAnOrderByEachOfItsNames() {
    // given
    Buyer ann = Buyer.named("ann-looks");
    Sale sale = site.sale().withStock(5).open();
    JsonObject body =
        new JsonObject().put("sku_id", sale.skuId()).put("qty", 1).put("reference", "ann-cart");
    String first = place(ann, "k1", body).token();
    sale.tell(first, "/confirm", new JsonObject().put("payment_ref", "ann-pays-1"));
    sale.tell(first, "/confirm", new JsonObject().put("payment_ref", "ann-pays-2"));

    // when
    String second = sale.order(ann, "k2").token();

    // then
    found("user_id=ann-looks", second, first);
    found("user_id=ann-looks&status=CONFIRMED", first);
    found("reference=ann-cart", first);
    found("payment_ref=ann-pays-1", first);
    found("payment_ref=ann-pays-2", first);
    found("user_id=ann-cart");
    Answer page = site.desk("GET", "/admin/orders?user_id=ann-looks&limit=1");
    assertThat(tokens(page)).containsExactly(second);
    found("user_id=ann-looks&limit=1&after=" + page.json().getString("next"), first);
  }

  @Test
  void shouldShowABuyerHisOrdersTheOpenOnesFirst() {
    // given
    Buyer ben = Buyer.named("ben-looks");
    Sale sale = site.sale().withStock(5).open();
    Sale direct = site.sale().withStock(5).direct().open();
    String open = sale.order(ben, "k1").token();
    String paid = direct.order(ben, "k2").token();
    direct.pay(paid);
    CartSale carts = CartSale.open(site, 2, 5);

    // when
    String cart = carts.order(ben, "k3", carts.lines(0, 1, 1, 2)).token();

    // then
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(tokens(own(ben, ""))).containsExactly(cart, open, paid));
    assertThat(own(ben, "").json().getJsonArray("orders").getJsonObject(0).getJsonArray("lines"))
        .hasSize(2);
    assertThat(tokens(own(Buyer.named("another"), ""))).isEmpty();
    assertThat(own(ben, "?after=x").brief()).isEqualTo("400 bad-request");
  }

  @Test
  void shouldNameTheOpenOrderWhenTheLimitIsReached() {
    // given
    Buyer cat = Buyer.named("cat-looks");
    Sale sale = site.sale().withStock(5).withLimit(1).open();
    String held = sale.order(cat, "k1").token();
    await().atMost(LIMIT).until(() -> !tokens(own(cat, "")).isEmpty());

    // when
    Answer refused = sale.order(cat, "k2");

    // then
    assertThat(refused.brief()).isEqualTo("409 limit-reached");
    assertThat(refused.json().getJsonArray("open_orders")).isEqualTo(new JsonArray().add(held));
    sale.pay(held);
    assertThat(sale.order(cat, "k3").json().containsKey("open_orders")).isFalse();
  }
}
