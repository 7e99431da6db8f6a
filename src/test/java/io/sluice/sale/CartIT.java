package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Orders of several SKUs on real servers: all lines or none, whatever happens meanwhile. */
class CartIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static JsonObject units(long units) {
    return new JsonObject().put("total_stock", units);
  }

  private static JsonObject refund(String id, int qty) {
    return new JsonObject().put("refund_id", id).put("qty", qty);
  }

  private static List<Long> skusOf(Answer order) {
    return order.json().getJsonArray("lines").stream()
        .map(line -> ((JsonObject) line).getLong("sku_id"))
        .toList();
  }

  private static long available(CartSale sale, int index) {
    return site.stock().available(sale.skuIds().get(index), 0);
  }

  private static Answer statusOnce(Sale sku, String token, String status) {
    return await()
        .atMost(LIMIT)
        .until(() -> sku.status(token), order -> order.brief().equals("200 " + status));
  }

  @Test
  void shouldLiveAsOneOrder() {
    // given
    CartSale sale = CartSale.open(site, 3, 10);
    JsonArray lines = sale.lines(2, 3, 0, 1);

    // when
    Answer granted = sale.order(ALICE, "k1", lines);
    Answer again = sale.order(ALICE, "k1", sale.lines(0, 1, 2, 3));
    Answer other = sale.order(ALICE, "k1", sale.lines(0, 1, 2, 2));
    Answer alone = sale.sku(0).order(ALICE, "k1");
    String token = granted.token();
    Answer paid = sale.sku(0).pay(token);
    Answer paidAgain = sale.sku(0).pay(token);
    Answer canceled = sale.sku(0).cancel(ALICE, token);

    // then
    assertThat(granted.brief()).isEqualTo("201 RESERVED");
    assertThat(skusOf(granted)).containsExactly(sale.skuIds().get(0), sale.skuIds().get(2));
    assertThat(granted.json().containsKey("sku_id")).isFalse();
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.token()).isEqualTo(token);
    assertThat(other.brief()).isEqualTo("409 key-mismatch");
    assertThat(alone.brief()).isEqualTo("409 key-mismatch");
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    assertThat(skusOf(paid)).isEqualTo(skusOf(granted));
    assertThat(paidAgain.brief()).isEqualTo("200 CONFIRMED");
    assertThat(canceled.brief()).isEqualTo("409 already-confirmed");
    assertThat(sale.sku(0).ledger().sold()).isEqualTo(1);
    assertThat(sale.sku(1).ledger().sold()).isZero();
    assertThat(sale.sku(2).ledger().sold()).isEqualTo(3);
    site.checkPromises();
    OrderEvents events = new OrderEvents(site);
    assertThat(events.count(token, "ORDER_BOOKED")).isEqualTo(1);
    assertThat(events.count(token, "ORDER_CONFIRMED")).isEqualTo(1);
  }

  @Test
  void shouldTellTheStoryOfTheWholeOrderUnderTheTokenOfEachLine() {
    // given
    CartSale sale = CartSale.open(site, 2, 10);
    long second = sale.skuIds().get(1);
    String lead = sale.order(ALICE, "k1", sale.lines(0, 1, 1, 3)).token();
    sale.sku(0).pay(lead);
    sale.sku(0).tell(lead, "/refunds", refund("r1", 2).put("sku_id", second));
    String follower = second + lead.substring(lead.indexOf('.'));

    // when
    JsonObject told = site.desk("GET", "/admin/orders/" + lead).json();
    JsonObject same = site.desk("GET", "/admin/orders/" + follower).json();

    // then
    assertThat(same).isEqualTo(told);
    assertThat(told.getInteger("units")).isEqualTo(4);
    assertThat(told.getJsonArray("lines")).hasSize(2);
    assertThat(told.getJsonArray("story"))
        .extracting(each -> (JsonObject) each)
        .extracting(
            each ->
                each.getString("what")
                    + " "
                    + each.getInteger("qty")
                    + " "
                    + each.getLong("sku_id"))
        .startsWith("GRANTED 4 null", "BOOKED 4 null", "CONFIRM 4 null", "ASKED 2 " + second);
  }

  @Test
  void shouldShowNoLineAlone() {
    // given
    CartSale sale = CartSale.open(site, 2, 10);
    String lead = sale.order(ALICE, "k1", sale.lines(0, 1, 1, 1)).token();
    statusOnce(sale.sku(0), lead, "PENDING");
    String follower = sale.skuIds().get(1) + lead.substring(lead.indexOf('.'));

    // when
    Answer seen = sale.sku(1).status(follower);
    Answer paid = sale.sku(1).pay(follower);
    Answer canceled = sale.sku(1).cancel(ALICE, follower);

    // then
    assertThat(List.of(seen.brief(), paid.brief(), canceled.brief()))
        .containsOnly("404 unknown-order");
    assertThat(sale.sku(0).status(lead).brief()).isEqualTo("200 PENDING");
  }

  @Test
  void shouldNameTheLineAndLeaveNoTraceWhenItIsRefused() {
    // given
    CartSale sale = CartSale.open(site, 3, units(2).put("limit_per_user", 2), new JsonObject());
    CartSale elsewhere = CartSale.open(site, 1, 10);
    long alone = site.sale().withStock(5).open().skuId();
    sale.sku(1).order(Buyer.named("bob"), "k", 2);
    JsonArray mixed = sale.lines(0, 1).addAll(elsewhere.lines(0, 1));
    JsonArray stray = sale.lines(0, 1).add(new JsonObject().put("sku_id", alone).put("qty", 1));
    long nowhere = alone + 77_777;
    JsonArray unknown = sale.lines(0, 1).add(new JsonObject().put("sku_id", nowhere).put("qty", 1));
    CartSale single = CartSale.open(site, 2, units(2), new JsonObject().put("carts", false));

    // when
    Answer soldOut = sale.order(ALICE, "k1", sale.lines(0, 1, 1, 1));
    Answer overLimit = sale.order(ALICE, "k1", sale.lines(0, 1, 2, 3));
    Answer apart = sale.order(ALICE, "k1", mixed);
    Answer without = sale.order(ALICE, "k1", stray);
    Answer none = sale.order(ALICE, "k1", unknown);
    Answer noCarts = single.order(ALICE, "k1", single.lines(0, 1, 1, 1));
    Answer taken = sale.order(ALICE, "k1", sale.lines(0, 2, 2, 2));

    // then
    assertThat(soldOut.brief()).isEqualTo("409 sold-out");
    assertThat(soldOut.json().getLong("sku_id")).isEqualTo(sale.skuIds().get(1));
    assertThat(overLimit.brief()).isEqualTo("409 limit-reached");
    assertThat(overLimit.json().getLong("sku_id")).isEqualTo(sale.skuIds().get(2));
    assertThat(apart.brief()).isEqualTo("422 not-together");
    assertThat(apart.json().getLong("sku_id")).isEqualTo(elsewhere.skuIds().get(0));
    assertThat(noCarts.brief()).isEqualTo("422 not-together");
    assertThat(noCarts.json().getLong("sku_id")).isEqualTo(single.skuIds().get(0));
    assertThat(without.brief()).isEqualTo("422 not-together");
    assertThat(without.json().getLong("sku_id")).isEqualTo(alone);
    assertThat(none.brief()).isEqualTo("404 unknown-sku");
    assertThat(none.json().getLong("sku_id")).isEqualTo(nowhere);
    assertThat(taken.brief()).isEqualTo("201 RESERVED");
    site.checkPromises();
  }

  @Test
  void shouldRefuseACartOfFrozenClosedOrEndedSkus() {
    // given
    CartSale sale = CartSale.open(site, 4, 10);
    String booked = sale.order(ALICE, "old", sale.lines(0, 1, 3, 1)).token();
    statusOnce(sale.sku(0), booked, "PENDING");
    sale.sku(0).pay(booked);
    sale.sku(1).freeze();
    sale.sku(2).close();
    await().atMost(LIMIT).until(() -> sale.sku(3).end().status() == 200);

    // when
    Answer frozen = sale.order(ALICE, "k1", sale.lines(0, 1, 1, 1));
    Answer closed = sale.order(ALICE, "k2", sale.lines(0, 1, 2, 1));
    Answer ended =
        await()
            .atMost(LIMIT)
            .until(
                () -> sale.order(ALICE, "k3", sale.lines(0, 1, 3, 1)),
                answer -> answer.status() != 503);
    Answer known = sale.order(ALICE, "old", sale.lines(0, 1, 3, 1));

    // then
    assertThat(frozen.brief()).isEqualTo("503 busy");
    assertThat(closed.brief()).isEqualTo("409 not-open");
    assertThat(closed.json().getLong("sku_id")).isEqualTo(sale.skuIds().get(2));
    assertThat(frozen.json().getLong("sku_id")).isEqualTo(sale.skuIds().get(1));
    assertThat(ended.brief()).isEqualTo("409 not-open");
    assertThat(ended.json().getLong("sku_id")).isEqualTo(sale.skuIds().get(3));
    assertThat(known.brief()).isEqualTo("200 CONFIRMED");
    assertThat(known.token()).isEqualTo(booked);
  }

  @Test
  void shouldGiveAllLinesAndLimitsBackOnceWhenItIsCanceled() {
    // given
    CartSale sale = CartSale.open(site, 2, units(2).put("limit_per_user", 2), new JsonObject());
    String token = sale.order(ALICE, "k1", sale.lines(0, 2, 1, 2)).token();

    // when
    Answer nothing = sale.sku(0).cancel(ALICE, sale.skuIds().get(0) + ".0.AAAAAAAAAAAAAAAAAAAAAA");
    Answer canceled = sale.sku(0).cancel(ALICE, token);
    Answer twice = sale.sku(0).cancel(ALICE, token);
    Answer next =
        await()
            .atMost(LIMIT)
            .until(
                () -> sale.order(ALICE, "k2", sale.lines(0, 2, 1, 2)),
                answer -> answer.status() == 201);
    // Until its units are back it is told as it is: canceled.
    Answer late = sale.order(ALICE, "k1", sale.lines(0, 2, 1, 2));

    // then
    assertThat(nothing.brief()).isEqualTo("404 unknown-order");
    assertThat(canceled.brief()).isEqualTo("200 CANCELED");
    assertThat(twice.brief()).isEqualTo("200 CANCELED");
    assertThat(late.brief()).isEqualTo("409 order-ended");
    assertThat(sale.order(ALICE, "k3", sale.lines(0, 1, 1, 1)).status()).isEqualTo(409);
    assertThat(next.token()).isNotEqualTo(token);
    site.checkPromises();
  }

  @Test
  void shouldRefundALineOrAll() {
    // given
    CartSale sale = CartSale.open(site, 2, 10);
    Sale lead = sale.sku(0);
    String token = sale.order(ALICE, "k1", sale.lines(0, 1, 1, 3)).token();
    long second = sale.skuIds().get(1);
    lead.pay(token);

    // when
    Answer unnamed = lead.tell(token, "/refunds", refund("r0", 1).put("sku_id", 4));
    Answer asked = lead.tell(token, "/refunds", refund("r1", 2).put("sku_id", second));
    Answer twice = lead.tell(token, "/refunds", refund("r1", 2).put("sku_id", second));
    Answer otherLine = lead.tell(token, "/refunds", refund("r1", 2).put("sku_id", lead.skuId()));
    Answer tooMany = lead.tell(token, "/refunds", refund("r2", 2).put("sku_id", second));
    Answer completed = lead.tell(token, "/refunds/r1/complete", null);
    Answer rest = lead.refund(token);

    // then
    assertThat(unnamed.brief()).isEqualTo("400 bad-request");
    assertThat(unnamed.json().getString("field")).isEqualTo("sku_id");
    assertThat(asked.brief()).isEqualTo("200 CONFIRMED");
    assertThat(asked.json().getJsonObject("refund").getLong("sku_id")).isEqualTo(second);
    assertThat(twice.brief()).isEqualTo("200 CONFIRMED");
    assertThat(otherLine.brief()).isEqualTo("409 key-mismatch");
    assertThat(tooMany.brief()).isEqualTo("409 refund-exceeds");
    assertThat(completed.brief()).isEqualTo("200 CONFIRMED");
    assertThat(completed.json().getInteger("refunded_qty")).isEqualTo(2);
    assertThat(completed.json().getJsonArray("lines").getJsonObject(1).getInteger("refunded_qty"))
        .isEqualTo(2);
    assertThat(rest.brief()).isEqualTo("200 REFUNDED");
    assertThat(rest.json().getInteger("refunded_qty")).isEqualTo(4);
    await().atMost(LIMIT).until(() -> available(sale, 0) == 10 && available(sale, 1) == 10);
    site.checkPromises();
  }

  @Test
  void shouldTimeOutAsAWholeAndTellOfOneLatePayment() {
    // given
    CartSale sale = CartSale.open(site, 3, units(10), new JsonObject().put("payment_window_s", 1));
    String token = sale.order(ALICE, "k1", sale.lines(0, 1, 1, 1, 2, 1)).token();

    // when
    Answer ended = statusOnce(sale.sku(0), token, "CANCELED");
    Answer late = sale.sku(0).pay(token);
    Answer again = sale.sku(0).pay(token);

    // then
    assertThat(ended.json().getString("reason")).isEqualTo("TIMEOUT");
    assertThat(late.brief()).isEqualTo("409 payment-late");
    assertThat(again.brief()).isEqualTo("409 payment-late");
    site.checkPromises();
    OrderEvents events = new OrderEvents(site);
    assertThat(events.count(token, "ORDER_CANCELED")).isEqualTo(1);
    assertThat(events.count(token, "PAYMENT_LATE")).isEqualTo(1);
    assertThat(site.ledger().orders(sale.skuIds().get(1)).stream().map(OrderRow::status).toList())
        .containsExactly("CANCELED");
  }
}
