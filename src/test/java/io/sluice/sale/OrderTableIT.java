package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The other endpoints of the public port, row by row, and who may call them. */
class OrderTableIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final String NO_ONES = ".0.AAAAAAAAAAAAAAAAAAAAAA";

  @TestFactory
  Stream<DynamicTest> shouldNotFindWhatCannotExist() {
    Sale sale = site.sale().withStock(10).withBuckets(2).open();
    String sku = String.valueOf(sale.skuId());
    var rows = new ApiRows();
    for (String token :
        new String[] {
          "x",
          "1.0",
          "0" + NO_ONES,
          "-1" + NO_ONES,
          sku + ".00.AAAAAAAAAAAAAAAAAAAAAA",
          sku + ".256.AAAAAAAAAAAAAAAAAAAAAA",
          sku + ".2.AAAAAAAAAAAAAAAAAAAAAA",
          sku + ".0.AAAAAAAAAAAAAAAAAAAAA",
          sku + ".0.AAAAAAAAAAAAAAAAAAAAAAA",
          sku + ".0.AAAAAAAAAAAAAAAAAAAA%20A",
          "99999999999999999999" + NO_ONES,
          site.newSkuId() + NO_ONES,
          sku + NO_ONES,
          "y".repeat(2_000),
        }) {
      rows.row("GET " + ApiRows.cut(token), "404 unknown-order", order(token, "", "GET").as(ALICE));
      rows.row(
          "cancel " + ApiRows.cut(token),
          "404 unknown-order",
          order(token, "/cancel", "POST").as(ALICE));
      rows.row(
          "confirm " + ApiRows.cut(token), "404 unknown-order", order(token, "/confirm", "POST"));
      rows.row(
          "refund " + ApiRows.cut(token), "404 unknown-order", order(token, "/refund", "POST"));
    }
    rows.row(
        "order of an unknown SKU", "404 unknown-sku", orders(ALICE).json(body(site.newSkuId())));
    rows.row("unknown SKU", "404 unknown-sku", Call.get(url() + "/v1/skus/" + site.newSkuId()));
    return rows.tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldNotFindOtherPathsAndMethods() {
    Sale sale = site.sale().withStock(10).open();
    String token = sale.order(ALICE).token();
    return new ApiRows()
        .row("root", "404 not-found", Call.get(url() + "/"))
        .row("unknown", "404 not-found", Call.get(url() + "/v1/nothing"))
        .row("deeper", "404 not-found", Call.post(url() + "/v1/orders/" + token + "/cancel/now"))
        .row("other action", "404 not-found", Call.post(url() + "/v1/orders/" + token + "/steal"))
        .row("management", "404 not-found", Call.get(url() + "/admin/skus"))
        .row("GET orders", "405 method-not-allowed", Call.get(url() + "/v1/orders").as(ALICE))
        .row(
            "DELETE orders",
            "405 method-not-allowed",
            Call.of("DELETE", url() + "/v1/orders").as(ALICE))
        .row("DELETE order", "405 method-not-allowed", order(token, "", "DELETE").as(ALICE))
        .row("GET cancel", "405 method-not-allowed", order(token, "/cancel", "GET").as(ALICE))
        .row("GET confirm", "405 method-not-allowed", order(token, "/confirm", "GET"))
        .row("POST sku", "405 method-not-allowed", Call.post(url() + "/v1/skus/1"))
        .row(
            "unknown method",
            "405 method-not-allowed",
            Call.of("BREW", url() + "/v1/orders").as(ALICE))
        .tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldLetOnlyTheRightOnesAct() {
    Sale sale = site.sale().withStock(10).open();
    String token = sale.order(ALICE).token();
    var rows = new ApiRows();
    for (String action : new String[] {"/confirm", "/refund"}) {
      Call call = order(token, action, "POST");
      rows.row(action + " by the buyer", "401 unauthorized", call.as(ALICE));
      rows.row(action + " by a buyer", "401 unauthorized", call.as(BOB));
      rows.row(
          action + " forwarded", "401 unauthorized", call.header("X-Forwarded-For", "192.0.2.1"));
      rows.row(
          action + " Forwarded", "401 unauthorized", call.header("Forwarded", "for=192.0.2.1"));
      rows.row(
          action + " empty X-Forwarded-For",
          "401 unauthorized",
          call.header("X-Forwarded-For", ""));
      rows.row(action + " empty identity", "401 unauthorized", call.header("X-User-Id", ""));
    }
    rows.row("GET by a stranger", "404 unknown-order", order(token, "", "GET").as(BOB));
    rows.row("cancel by a stranger", "404 unknown-order", order(token, "/cancel", "POST").as(BOB));
    rows.row(
        "GET forwarded, nobody",
        "401 unauthorized",
        order(token, "", "GET").header("Forwarded", "for=x"));
    rows.row(
        "GET by the buyer through a proxy",
        "200",
        order(token, "", "GET").as(ALICE).header("X-Forwarded-For", "192.0.2.1"));
    rows.row("GET by the back office", "200", order(token, "", "GET"));
    return rows.tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldCheckHowLongToWait() {
    Sale sale = site.sale().withStock(10).open();
    String token = sale.order(ALICE).token();
    var rows = new ApiRows();
    for (String wait : new String[] {"", "x", "-1", "1.5", "31", "99999999999999999999", "0x1"}) {
      rows.row("wait=" + wait, "400 bad-request", order(token, "?wait=" + wait, "GET").as(ALICE));
    }
    rows.row("wait=0", "200", order(token, "?wait=0", "GET").as(ALICE));
    rows.row("unknown parameter", "400 bad-request", order(token, "?colour=red", "GET").as(ALICE));
    return rows.tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseABodyWhereNoneIsDocumented() {
    Sale sale = site.sale().withStock(10).open();
    String paid = sale.order(ALICE, "paid").token();
    sale.pay(paid);
    String canceled = sale.order(ALICE, "canceled").token();
    return new ApiRows()
        .row(
            "cancel with a form",
            "400 bad-request",
            typed(order(canceled, "/cancel", "POST").as(ALICE), "text/plain").body("x=1"))
        .row(
            "refund with JSON",
            "400 bad-request",
            order(paid, "/refund", "POST").json("{\"qty\":1}"))
        .row(
            "refund with an empty object",
            "200 REFUNDED",
            order(paid, "/refund", "POST").json("{}"))
        .tests(site.http());
  }

  @Test
  void shouldLetCachesKeepTheLevelForASecond() {
    // given
    Sale sale = site.sale().withStock(10).open();

    // when
    Answer answer = sale.level();

    // then
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().fieldNames())
        .containsExactlyInAnyOrder("sku_id", "state", "level", "opens_at", "closes_at");
    assertThat(answer.json().getLong("sku_id")).isEqualTo(sale.skuId());
    assertThat(answer.json().getString("state")).isEqualTo("OPEN");
    assertThat(answer.json().getString("level")).isEqualTo("PLENTY");
    assertThat(answer.json().getValue("opens_at")).isNull();
    assertThat(answer.header("cache-control")).contains("max-age=1");
  }

  private static String url() {
    return site.instance(0).url();
  }

  private static Call orders(Buyer buyer) {
    return Call.post(url() + "/v1/orders").as(buyer);
  }

  private static Call typed(Call call, String contentType) {
    return call.header("Content-Type", contentType);
  }

  private static Call order(String token, String tail, String method) {
    return Call.of(method, url() + "/v1/orders/" + token + tail);
  }

  private static String body(long skuId) {
    return "{\"sku_id\":%d,\"qty\":1}".formatted(skuId);
  }
}
