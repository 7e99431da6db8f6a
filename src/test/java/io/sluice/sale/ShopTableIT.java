package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a shop tells of orders, row by row: each conflict, orders that are none, references. */
class ShopTableIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String EXTENSION = "{\"seconds\":600}";
  private static final String REFUND = "{\"refund_id\":\"r1\",\"qty\":1}";

  private static Call post(String token, String path) {
    return Call.post(site.instance(0).url() + "/v1/orders/" + token + path);
  }

  private static String payment(String ref) {
    return new JsonObject().put("payment_ref", ref).encode();
  }

  private static String refund(String id, int qty) {
    return new JsonObject().put("refund_id", id).put("qty", qty).encode();
  }

  @TestFactory
  Stream<DynamicTest> shouldNameEachConflict() {
    Sale sale = site.sale().withStock(20).open();
    String held = sale.order(ALICE, "held", 3).token();
    String paid = sale.order(ALICE, "paid", 3).token();
    String canceled = sale.order(ALICE, "canceled").token();
    String refunded = sale.order(ALICE, "refunded").token();
    return new ApiRows()
        .row("refund of a held one", "409 not-confirmed", post(held, "/refunds").json(REFUND))
        .row("pay", "200 CONFIRMED", post(paid, "/confirm").json(payment("p1")))
        .row("pay again", "200 CONFIRMED", post(paid, "/confirm").json(payment("p1")))
        .row("pay without a name", "200 CONFIRMED", post(paid, "/confirm"))
        .row("pay twice", "409 already-confirmed", post(paid, "/confirm").json(payment("p2")))
        .row("extend a paid one", "409 already-confirmed", post(paid, "/extend").json(EXTENSION))
        .row("request", "200 CONFIRMED", post(paid, "/refunds").json(refund("r1", 2)))
        .row("request again", "200 CONFIRMED", post(paid, "/refunds").json(refund("r1", 2)))
        .row("same id", "409 key-mismatch", post(paid, "/refunds").json(refund("r1", 1)))
        .row("too much", "409 refund-exceeds", post(paid, "/refunds").json(refund("r2", 2)))
        .row("complete no refund", "404 unknown-refund", post(paid, "/refunds/r9/complete"))
        .row("reject no refund", "404 unknown-refund", post(paid, "/refunds/r9/reject"))
        .row("complete", "200 CONFIRMED", post(paid, "/refunds/r1/complete"))
        .row("complete again", "200 CONFIRMED", post(paid, "/refunds/r1/complete"))
        .row("reject what is done", "409 refund-ended", post(paid, "/refunds/r1/reject"))
        .row("request another", "200 CONFIRMED", post(paid, "/refunds").json(refund("r3", 1)))
        .row("reject", "200 CONFIRMED", post(paid, "/refunds/r3/reject"))
        .row("complete what is rejected", "409 refund-ended", post(paid, "/refunds/r3/complete"))
        .row("the rest", "200 REFUNDED", post(paid, "/refund"))
        .row(
            "request the refunded",
            "409 already-refunded",
            post(paid, "/refunds").json(refund("r4", 1)))
        .row("extend the refunded", "409 already-refunded", post(paid, "/extend").json(EXTENSION))
        .row("pay the refunded", "409 already-refunded", post(paid, "/confirm").json(payment("p3")))
        .row("cancel", "200 CANCELED", post(canceled, "/cancel"))
        .row("extend the canceled", "409 order-ended", post(canceled, "/extend").json(EXTENSION))
        .row("pay the canceled", "409 payment-late", post(canceled, "/confirm").json(payment("p1")))
        .row("again", "409 payment-late", post(canceled, "/confirm").json(payment("p2")))
        .row("refund the canceled", "409 not-confirmed", post(canceled, "/refunds").json(REFUND))
        .row("pay without naming it", "200 CONFIRMED", post(refunded, "/confirm"))
        .row("name it", "200 CONFIRMED", post(refunded, "/confirm").json(payment("p1")))
        .row("another", "409 already-confirmed", post(refunded, "/confirm").json(payment("p2")))
        .row("request all", "200 CONFIRMED", post(refunded, "/refunds").json(REFUND))
        .row("complete all", "200 REFUNDED", post(refunded, "/refunds/r1/complete"))
        .tests(site.http());
  }

  /** Tokens that could be: of a bucket without orders, of one that is not there, of no SKU. */
  @TestFactory
  Stream<DynamicTest> shouldNotFindWhatNobodyOrdered() {
    Sale sale = site.sale().withStock(10).withBuckets(2).open();
    String id = ".AAAAAAAAAAAAAAAAAAAAAA";
    var rows = new ApiRows();
    for (String token :
        new String[] {
          sale.skuId() + ".0" + id, sale.skuId() + ".2" + id, site.newSkuId() + ".0" + id
        }) {
      Call look = Call.get(site.instance(0).url() + "/v1/orders/" + token).as(ALICE);
      rows.row("GET " + token, "404 unknown-order", look);
      rows.row("cancel " + token, "404 unknown-order", post(token, "/cancel").as(ALICE));
      for (String path : new String[] {"/confirm", "/refund", "/refunds/r1/complete"}) {
        rows.row(path + " " + token, "404 unknown-order", post(token, path));
      }
    }
    return rows.tests(site.http());
  }

  /** The first request names the order: a repeated one changes nothing about it. */
  @Test
  void shouldKeepTheReferenceOfTheFirstRequest() {
    // given
    Sale sale = site.sale().withStock(10).open();
    String longest = "r|~'\\\"".repeat(8);
    Call first = orders(ALICE).json(body(sale.skuId(), longest));

    // when
    Answer placed = site.http().ask(first);
    Answer again = site.http().ask(orders(ALICE).json(body(sale.skuId(), "other")));
    Answer without = site.http().ask(orders(ALICE).json(body(sale.skuId())));

    // then
    assertThat(placed.json().getString("reference")).isEqualTo(longest);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().getString("reference")).isEqualTo(longest);
    assertThat(without.json().getString("reference")).isEqualTo(longest);
    String token = placed.token();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(sale.status(token).json().getString("status")).isEqualTo("PENDING"));
    assertThat(sale.status(token).json().getString("reference")).isEqualTo(longest);
    assertThat(
            site.ledger()
                .query(
                    "SELECT reference FROM order_hold WHERE sku_id = ?",
                    row -> row.getString(0),
                    sale.skuId()))
        .containsExactly(longest);
  }

  private static Call orders(Buyer buyer) {
    return Call.post(site.instance(0).url() + "/v1/orders").as(buyer);
  }

  private static String body(long skuId, String reference) {
    return new JsonObject().put("sku_id", skuId).put("qty", 1).put("reference", reference).encode();
  }

  private static String body(long skuId) {
    return "{\"sku_id\":%d,\"qty\":1}".formatted(skuId);
  }
}
