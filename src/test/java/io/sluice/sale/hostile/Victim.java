package io.sluice.sale.hostile;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a stranger would like to change, or to read: a SKU, an order that is not paid yet, and one
 * that is. Nobody else touches it, so that it must stay as it is.
 */
record Victim(SaleSite site, SluiceProcess desk, Sale sale, String pending, String paid) {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String PAID = "200 CONFIRMED";
  private static final String BODY =
      "{\"total_stock\":50,\"payment_window_s\":86400,\"limit_per_user\":1}";

  /** A call of the back office or of an operator. */
  record Ask(boolean atDesk, String method, String target, String body) {
    /** The lines of the headers that it needs, beside those of its caller. */
    String headers() {
      return body.isEmpty() ? "" : HostileRequest.JSON;
    }

    boolean isChange() {
      return !method.equals("GET");
    }
  }

  /**
   * @param desk an instance whose operators need no token
   */
  static Victim at(SaleSite site, SluiceProcess desk) {
    Sale sale =
        site.sale(site.newSkuId(), desk)
            .withStock(50)
            .withPaymentWindow(Duration.ofDays(1))
            .open()
            .at(desk);
    String pending = sale.order(Buyer.named("alice")).token();
    String paid = sale.order(Buyer.named("bob")).token();
    await().atMost(LIMIT).until(() -> sale.pay(paid).brief().equals(PAID));
    await().atMost(LIMIT).until(() -> sale.status(pending).brief().equals("200 PENDING"));
    return new Victim(site, desk, sale, pending, paid);
  }

  long skuId() {
    return sale.skuId();
  }

  /** A SKU that does not exist, and never will. */
  long unknownSkuId() {
    return sale.skuId() + 1_000_000_000L;
  }

  /** Everything that a stranger may see or do nothing of. */
  List<Ask> asks() {
    String sku = "/admin/skus/" + skuId();
    return Stream.concat(
            Stream.of(
                order("GET", pending),
                order("POST", pending + "/cancel"),
                order("POST", pending + "/confirm"),
                order("POST", paid + "/refund")),
            Stream.of(
                desk("GET", "/admin/skus", ""),
                desk("GET", sku, ""),
                desk("GET", "/admin/drift", ""),
                desk("GET", "/admin/blacklist/alice", ""),
                desk("GET", "/metrics", ""),
                desk("PUT", sku, BODY),
                desk("PUT", "/admin/skus/" + unknownSkuId(), BODY),
                desk("POST", sku + "/restock", "{\"restock_id\":\"gift\",\"qty\":-10}"),
                desk("POST", sku + "/freeze", ""),
                desk("POST", sku + "/close", ""),
                desk("POST", sku + "/rebuild", ""),
                desk("DELETE", sku, ""),
                desk("POST", "/admin/reconcile", ""),
                desk(
                    "PUT",
                    "/admin/jobs/gift",
                    "{\"action\":\"refund-paid\",\"sku_id\":" + skuId() + "}"),
                desk("POST", "/admin/orders/" + pending + "/command", "{\"command\":\"cancel\"}"),
                desk("POST", "/admin/partitions/0/reset", ""),
                desk("PUT", "/admin/blacklist/alice", "{\"ban_s\":60}"),
                desk("DELETE", "/admin/blacklist/alice", "")))
        .toList();
  }

  private static Ask order(String method, String target) {
    return new Ask(false, method, "/v1/orders/" + target, "");
  }

  private static Ask desk(String method, String target, String body) {
    return new Ask(true, method, target, body);
  }

  /** All that the asks would change, as the back office and an operator see it. */
  String state() {
    String url = desk.adminUrl() + "/admin/";
    String skus =
        site.http().ask(Call.get(url + "skus?limit=1000")).json().getJsonArray("skus").stream()
            .map(sku -> ((JsonObject) sku).getLong("sku_id").toString())
            .collect(Collectors.joining(", "));
    return Stream.of(
            sale.status(pending).body(),
            sale.status(paid).body(),
            sale.look().body(),
            site.http().ask(Call.get(url + "blacklist/alice")).brief(),
            "all SKUs: " + skus)
        .collect(Collectors.joining("\n"));
  }
}
