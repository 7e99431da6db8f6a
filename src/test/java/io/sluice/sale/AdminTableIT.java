package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The endpoints of the management port, row by row, and who may call them. */
class AdminTableIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final int METRIC_LINES_MAX = 900;

  @TestFactory
  Stream<DynamicTest> shouldRefuseABodyThatIsNoSku() {
    Call put = Call.put(url() + "/admin/skus/" + site.newSkuId());
    var rows = new ApiRows();
    for (String body :
        new String[] {"", "{", "[]", "null", "7", "{}", "{\"payment_window_s\":5}"}) {
      rows.row("body " + body, "400 bad-request", put.json(body));
    }
    wrongValues()
        .forEach(
            (field, values) -> {
              for (Object value : values) {
                JsonObject body = new JsonObject().put("total_stock", 10).put(field, value);
                rows.row(field + " " + value, "400 bad-request", put.json(body));
              }
            });
    rows.row(
        "text/plain",
        "415 unsupported-media-type",
        put.header("Content-Type", "text/plain").body("{\"total_stock\":1}"));
    rows.row(
        "over 16 KiB",
        "413 content-too-large",
        put.json("{\"total_stock\":1" + " ".repeat(16 * 1024) + "}"));
    rows.row(
        "no number",
        "400 bad-request",
        Call.put(url() + "/admin/skus/abc").json("{\"total_stock\":1}"));
    return rows.tests(site.http());
  }

  private static Map<String, JsonArray> wrongValues() {
    return Map.of(
        "total_stock", JsonArray.of(null, -1, 1_000_000_001L, 1.5, "10", true, Long.MAX_VALUE),
        "payment_window_s", JsonArray.of(-1, 2_592_001, 1.5, "300"),
        "limit_per_user", JsonArray.of(-1, 1_001, "1", false),
        "buckets", JsonArray.of(0, -1, 257, "2", 1.5),
        "opens_at", JsonArray.of("tomorrow", 5, "", "2026-13-01T00:00:00.000Z"),
        "closes_at", JsonArray.of("2026-11-21", true),
        "mode", JsonArray.of("slow", "", 1, "FAST "));
  }

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

  @TestFactory
  Stream<DynamicTest> shouldRefuseARestockThatIsNone() {
    Sale sale = site.sale().withStock(10).open();
    Call post = Call.post(url() + "/admin/skus/" + sale.skuId() + "/restock");
    var rows = new ApiRows();
    for (String body :
        new String[] {
          "",
          "{",
          "[]",
          "{}",
          "{\"restock_id\":\"r\"}",
          "{\"qty\":1}",
          "{\"restock_id\":\"\",\"qty\":1}",
          "{\"restock_id\":7,\"qty\":1}",
          "{\"restock_id\":\"a b\",\"qty\":1}",
          "{\"restock_id\":\"a#b\",\"qty\":1}",
          "{\"restock_id\":\"" + "r".repeat(65) + "\",\"qty\":1}",
          "{\"restock_id\":\"r\",\"qty\":\"1\"}",
          "{\"restock_id\":\"r\",\"qty\":1.5}",
          "{\"restock_id\":\"r\",\"qty\":0}",
          "{\"restock_id\":\"r\",\"qty\":9223372036854775808}",
          "{\"restock_id\":\"r\",\"qty\":1000000001}",
        }) {
      rows.row(body, "400 bad-request", post.json(body));
    }
    rows.row("take more than there is", "409", post.json("{\"restock_id\":\"t\",\"qty\":-11}"));
    rows.row(
        "unknown SKU",
        "404 unknown-sku",
        Call.post(url() + "/admin/skus/" + site.newSkuId() + "/restock")
            .json("{\"restock_id\":\"r\",\"qty\":1}"));
    return rows.tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldNotFindOtherSkusPathsAndMethods() {
    String unknown = url() + "/admin/skus/" + site.newSkuId();
    var rows = new ApiRows();
    for (String action : new String[] {"/open", "/close", "/follow", "/freeze", "/unfreeze"}) {
      rows.row(action + " of an unknown SKU", "404 unknown-sku", Call.post(unknown + action));
      rows.row("GET " + action, "405 method-not-allowed", Call.get(unknown + action));
    }
    return rows.row("unknown SKU", "404 unknown-sku", Call.get(unknown))
        .row("unknown action", "404 not-found", Call.post(unknown + "/explode"))
        .row("unknown path", "404 not-found", Call.get(url() + "/admin"))
        .row("public path", "404 not-found", Call.post(url() + "/v1/orders"))
        .row("DELETE", "405 method-not-allowed", Call.of("DELETE", unknown))
        .row("POST skus", "405 method-not-allowed", Call.post(url() + "/admin/skus"))
        .tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldTakeManagementCallsFromTheLoopbackOnly() {
    Call call = Call.get(url() + "/admin/skus");
    return new ApiRows()
        .row("from here", "200", call)
        .row("by a buyer", "401 unauthorized", call.as(Buyer.named("alice")))
        .row("forwarded", "401 unauthorized", call.header("X-Forwarded-For", "192.0.2.1"))
        .row("Forwarded", "401 unauthorized", call.header("Forwarded", "for=192.0.2.1"))
        .row("by a page", "401 unauthorized", call.header("Origin", "https://evil.example"))
        .row("to another host", "401 unauthorized", call.header("Host", "evil.example"))
        .row("healthy", "200", Call.get(url() + "/livez"))
        .row("ready", "200", Call.get(url() + "/readyz"))
        .row("metrics", "200", Call.get(url() + "/metrics"))
        .tests(site.http());
  }

  @Test
  void shouldAskForTheTokensThatAreConfigured() {
    // given
    Sale sale = site.sale().withStock(10).open();
    String token = sale.order(Buyer.named("alice")).token();
    SluiceProcess guarded =
        site.newInstance(
                Map.of(
                    "SLUICE_ADMIN_TOKEN",
                    "the-word-of-admins",
                    "SLUICE_AUTH_SERVICE_TOKEN",
                    "the-word-of-the-office"))
            .start()
            .awaitReady();
    Call skus = Call.get(guarded.adminUrl() + "/admin/skus");
    Call pay = Call.post(guarded.url() + "/v1/orders/" + token + "/confirm");

    // when
    var admin =
        Stream.of(
            "",
            "Bearer the-word-of-the-office",
            "Bearer the-word-of-admin",
            "the-word-of-admins",
            "Bearer the-word-of-admins");
    var office =
        Stream.of(
            "",
            "Bearer the-word-of-admins",
            "Basic the-word-of-the-office",
            "Bearer the-word-of-the-office");

    // then
    assertThat(admin.map(word -> status(skus, word))).containsExactly(401, 401, 401, 401, 200);
    assertThat(office.map(word -> status(pay, word))).containsExactly(401, 401, 401, 200);
    assertThat(guarded.terminate().code()).isZero();
    assertThat(guarded.log())
        .doesNotContain("the-word-of-admins")
        .doesNotContain("the-word-of-the-office");
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

  private static int status(Call call, String authorization) {
    Call with = authorization.isEmpty() ? call : call.header("Authorization", authorization);
    return site.http().ask(with).status();
  }

  private static String url() {
    return site.instance(0).adminUrl();
  }
}
