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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code POST /v1/orders}, row by row: every invalid request gets the documented problem. */
class PlaceTableIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final int BODY_MAX = 16 * 1024;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TestFactory
  Stream<DynamicTest> shouldRefuseABodyThatIsNoOrder() {
    long sku = site.sale().withStock(10).open().skuId();
    var rows = new ApiRows();
    for (String text :
        new String[] {
          "",
          "{",
          "{\"sku_id\":",
          "nonsense",
          "[]",
          "null",
          "\"text\"",
          "7",
          "true",
          "{}",
          "{}{}",
          "[".repeat(8_000),
          "{\"a\":".repeat(2_000),
        }) {
      rows.row("body " + ApiRows.cut(text), "400 bad-request", orders(ALICE).json(text));
    }
    for (String value :
        new String[] {
          "null",
          "true",
          "\"1001\"",
          "\"" + "x".repeat(5_000) + "\"",
          "1.5",
          "0",
          "-1",
          "9223372036854775808",
          "-9223372036854775809",
          "1e400",
          "[1]",
          "{}",
          "1".repeat(1_000),
        }) {
      String body = "{\"sku_id\":%s,\"qty\":1}".formatted(value);
      rows.row("sku_id " + ApiRows.cut(value), "400 bad-request", orders(ALICE).json(body));
    }
    for (String value :
        new String[] {
          "null",
          "true",
          "\"1\"",
          "1.5",
          "0",
          "-1",
          "1001",
          "4294967297",
          "9223372036854775808",
          "1e400",
          "[1]",
          "{}",
        }) {
      String body = "{\"sku_id\":%d,\"qty\":%s}".formatted(sku, value);
      rows.row("qty " + value, "400 bad-request", orders(ALICE).json(body));
    }
    rows.row(
        "unknown field",
        "400 bad-request",
        orders(ALICE).json("{\"sku_id\":%d,\"qty\":1,\"user_id\":\"bob\"}".formatted(sku)));
    rows.row(
        "a field twice",
        "400 bad-request",
        orders(ALICE).json("{\"sku_id\":%d,\"qty\":1,\"qty\":2}".formatted(sku)));
    rows.row("no sku_id", "400 bad-request", orders(ALICE).json("{\"qty\":1}"));
    rows.row("no qty", "400 bad-request", orders(ALICE).json("{\"sku_id\":" + sku + "}"));
    return rows.tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseLinesThatAreNoCart() {
    String line = "{\"sku_id\":%d,\"qty\":1}".formatted(site.sale().withStock(10).open().skuId());
    var rows = new ApiRows();
    for (String lines :
        new String[] {
          "null",
          "7",
          "{}",
          "[]",
          "[7]",
          "[%1$s]",
          "[%1$s,%1$s]",
          "[%1$s,{}]",
          "[%1$s,{\"sku_id\":1}]"
        }) {
      String body = "{\"lines\":" + lines.formatted(line) + "}";
      rows.row("lines " + lines, "400 bad-request", orders(ALICE).json(body));
    }
    return rows.tests(site.http());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sku_id", "qty"})
  void shouldSayWhichFieldIsWrongAndWhy(String field) {
    // given
    JsonObject body = new JsonObject().put("sku_id", 1).put("qty", 1).put(field, -5);

    // when
    Answer answer = site.http().ask(orders(ALICE).json(body));

    // then
    assertThat(answer.brief()).isEqualTo("400 bad-request");
    assertThat(answer.json().getString("field")).isEqualTo(field);
    assertThat(answer.json().getString("detail")).contains("-5");
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseWhatIsNotSentAsAnOrder() {
    String body = body(site.sale().withStock(100).open().skuId());
    String full = body + " ".repeat(BODY_MAX - body.length());
    Call plain = Call.post(url() + "/v1/orders").as(ALICE);
    return new ApiRows()
        .row("no content type", "415 unsupported-media-type", plain.body(body))
        .row("text/plain", "415 unsupported-media-type", typed(plain, "text/plain").body(body))
        .row(
            "form",
            "415 unsupported-media-type",
            typed(plain, "application/x-www-form-urlencoded").body(body))
        .row(
            "multipart",
            "415 unsupported-media-type",
            typed(plain, "multipart/form-data; boundary=x").body(body))
        .row(
            "json-seq",
            "415 unsupported-media-type",
            typed(plain, "application/json-seq").body(body))
        .row("nonsense type", "415 unsupported-media-type", typed(plain, ";;;").body(body))
        .row(
            "with charset",
            "201 RESERVED",
            typed(plain, "application/json; charset=utf-8")
                .header("Idempotency-Key", "c")
                .body(body))
        .row(
            "upper case type",
            "201 RESERVED",
            typed(plain, "Application/JSON").header("Idempotency-Key", "u").body(body))
        .row("16 KiB", "201 RESERVED", keyed("full").json(full))
        .row("16 KiB in chunks", "201 RESERVED", keyed("chunks").json(full).inChunks())
        .row("over 16 KiB", "413 content-too-large", keyed("k").json(full + " "))
        .row(
            "over 16 KiB in chunks",
            "413 content-too-large",
            keyed("k").json(full + " ").inChunks())
        .row("1 MiB", "413 content-too-large", keyed("k").json(full.repeat(64)))
        .row(
            "1 MiB in chunks", "413 content-too-large", keyed("k").json(full.repeat(64)).inChunks())
        .tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseARequestKeyThatIsNone() {
    String body = body(site.sale().withStock(100).open().skuId());
    return new ApiRows()
        .row("128 characters", "201 RESERVED", keyed("k".repeat(128)).json(body))
        .row(
            "all that is visible",
            "201 RESERVED",
            keyed("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").json(body))
        .row("129 characters", "400 bad-request", keyed("k".repeat(129)).json(body))
        .row("empty", "400 bad-request", keyed("").json(body))
        .row("a space", "400 bad-request", keyed("a b").json(body))
        .row("a tab", "400 bad-request", keyed("a\tb").json(body))
        .row("not ASCII", "400 bad-request", keyed("\u00e9").json(body))
        .tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseAReferenceThatIsNone() {
    long sku = site.sale().withStock(100).open().skuId();
    var rows = new ApiRows();
    String longest = "r".repeat(64);
    for (String value : new String[] {"\"r\"", '"' + longest + '"', "\"a|b~c'\\\"\""}) {
      rows.row(
          "reference " + value, "201 RESERVED", keyed("k" + value.length()).json(with(sku, value)));
    }
    for (String value :
        new String[] {
          "\"\"",
          '"' + longest + "r\"",
          "\"a b\"",
          "\"\u00e9\"",
          "\"\\n\"",
          "null",
          "7",
          "true",
          "[]"
        }) {
      rows.row("reference " + value, "400 bad-request", orders(ALICE).json(with(sku, value)));
    }
    return rows.tests(site.http());
  }

  private static String with(long skuId, String reference) {
    return "{\"sku_id\":%d,\"qty\":1,\"reference\":%s}".formatted(skuId, reference);
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

  @TestFactory
  Stream<DynamicTest> shouldRefuseWhoIsNobody() {
    String body = body(site.sale().withStock(100).open().skuId());
    Call call = Call.post(url() + "/v1/orders").json(body);
    return new ApiRows()
        .row("no identity", "401 unauthorized", call)
        .row("empty", "400 bad-request", call.header("X-User-Id", ""))
        .row("a space", "400 bad-request", call.header("X-User-Id", "a b"))
        .row("129 characters", "400 bad-request", call.header("X-User-Id", "u".repeat(129)))
        .row("not ASCII", "400 bad-request", call.header("X-User-Id", "\u00e9"))
        .row("dots", "400 bad-request", call.header("X-User-Id", ".."))
        .row("128 characters", "201 RESERVED", call.header("X-User-Id", "u".repeat(128)))
        .row(
            "of a provider",
            "201 RESERVED",
            call.header("X-User-Id", "auth0|64f1c2:bob+drop@x.com"))
        .tests(site.http());
  }

  private static String url() {
    return site.instance(0).url();
  }

  private static Call orders(Buyer buyer) {
    return Call.post(url() + "/v1/orders").as(buyer);
  }

  private static Call keyed(String key) {
    return orders(ALICE).header("Idempotency-Key", key);
  }

  private static Call typed(Call call, String contentType) {
    return call.header("Content-Type", contentType);
  }

  private static String body(long skuId, String reference) {
    return new JsonObject().put("sku_id", skuId).put("qty", 1).put("reference", reference).encode();
  }

  private static String body(long skuId) {
    return "{\"sku_id\":%d,\"qty\":1}".formatted(skuId);
  }
}
