package io.sluice.sale;

import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a shop tells of orders, row by row: who may, what is no such command, and each conflict. */
class ShopTableIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
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
  Stream<DynamicTest> shouldLetOnlyTheBackOfficeTell() {
    String token = site.sale().withStock(10).open().order(ALICE).token();
    var rows = new ApiRows();
    for (String path :
        new String[] {
          "/confirm", "/extend", "/refunds", "/refunds/r1/complete", "/refunds/r1/reject"
        }) {
      Call call = path.equals("/extend") ? post(token, path).json(EXTENSION) : post(token, path);
      Call told = path.equals("/refunds") ? call.json(REFUND) : call;
      rows.row(path + " by the buyer", "401 unauthorized", told.as(ALICE));
      rows.row(path + " by a buyer", "401 unauthorized", told.as(BOB));
      rows.row(
          path + " forwarded", "401 unauthorized", told.header("X-Forwarded-For", "192.0.2.1"));
    }
    return rows.tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldNotFindWhatCannotExist() {
    Sale sale = site.sale().withStock(10).open();
    String paid = sale.order(ALICE).token();
    sale.pay(paid);
    String nobodys = sale.skuId() + ".0.AAAAAAAAAAAAAAAAAAAAAA";
    return new ApiRows()
        .row("confirm", "404 unknown-order", post(nobodys, "/confirm").json(payment("p")))
        .row("extend", "404 unknown-order", post(nobodys, "/extend").json(EXTENSION))
        .row("refunds", "404 unknown-order", post(nobodys, "/refunds").json(REFUND))
        .row("complete", "404 unknown-order", post(nobodys, "/refunds/r1/complete"))
        .row("reject", "404 unknown-order", post(nobodys, "/refunds/r1/reject"))
        .row("complete no refund", "404 unknown-refund", post(paid, "/refunds/r1/complete"))
        .row("reject no refund", "404 unknown-refund", post(paid, "/refunds/r1/reject"))
        .row("no refund id", "404 unknown-refund", post(paid, "/refunds/a%20b/complete"))
        .row(
            "longer than a refund id",
            "404 unknown-refund",
            post(paid, "/refunds/" + "r".repeat(49) + "/complete"))
        .row("other step", "404 not-found", post(paid, "/refunds/r1/steal"))
        .row(
            "GET refunds",
            "405 method-not-allowed",
            Call.get(site.instance(0).url() + "/v1/orders/" + paid + "/refunds"))
        .tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldRefuseABodyThatIsNoCommand() {
    String token = site.sale().withStock(10).open().order(ALICE).token();
    var rows = new ApiRows();
    for (String text :
        new String[] {"{", "nonsense", "[]", "null", "7", "{}{}", "[".repeat(8_000), "{\"a\":1}"}) {
      for (String path : new String[] {"/confirm", "/extend", "/refunds"}) {
        rows.row(path + " " + ApiRows.cut(text), "400 bad-request", post(token, path).json(text));
      }
    }
    for (String path : new String[] {"/confirm", "/extend", "/refunds"}) {
      rows.row(path + " untyped", "415 unsupported-media-type", post(token, path).body("{}"));
      rows.row(
          path + " over 16 KiB",
          "413 content-too-large",
          post(token, path).json("{" + " ".repeat(16 * 1024) + "}"));
    }
    rows.row("extend without a body", "415 unsupported-media-type", post(token, "/extend"));
    rows.row("refunds without a body", "415 unsupported-media-type", post(token, "/refunds"));
    return rows.tests(site.http());
  }

  @TestFactory
  Stream<DynamicTest> shouldCheckTheRangeOfEachField() {
    String token = site.sale().withStock(10).open().order(ALICE, "", 3).token();
    var rows = new ApiRows();
    for (String ref :
        new String[] {"\"\"", "\"a b\"", "\"\u00e9\"", "null", "7", '"' + "p".repeat(129) + '"'}) {
      rows.row(
          "payment_ref " + ApiRows.cut(ref),
          "400 bad-request",
          post(token, "/confirm").json("{\"payment_ref\":" + ref + "}"));
    }
    for (String seconds : new String[] {"0", "-1", "86401", "1.5", "\"60\"", "null", "1e9"}) {
      rows.row(
          "seconds " + seconds,
          "400 bad-request",
          post(token, "/extend").json("{\"seconds\":" + seconds + "}"));
    }
    for (String id : new String[] {"", "a b", "a/b", "\u00e9", "r".repeat(49)}) {
      rows.row(
          "refund_id " + ApiRows.cut(id),
          "400 bad-request",
          post(token, "/refunds").json(refund(id, 1)));
    }
    for (int qty : new int[] {0, -1, 1_001}) {
      rows.row("qty " + qty, "400 bad-request", post(token, "/refunds").json(refund("r1", qty)));
    }
    return rows.row(
            "longest extension", "200 PENDING", post(token, "/extend").json("{\"seconds\":86400}"))
        .row(
            "longest payment_ref",
            "200 CONFIRMED",
            post(token, "/confirm").json(payment("p".repeat(128))))
        .row(
            "longest refund_id",
            "200 CONFIRMED",
            post(token, "/refunds").json(refund("aZ0_.:-".repeat(6) + "aZ0_.:", 1)))
        .tests(site.http());
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
}
