package io.sluice.admin;

import io.sluice.config.AdminConfig;
import io.sluice.config.OperatorToken;
import io.sluice.config.OperatorToken.Role;
import io.sluice.config.TlsFiles;
import io.sluice.web.HttpProbe.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** One valid call of each operation of the management port. */
final class AdminCalls {
  static final String OLGA = "the-token-of-olga";
  static final String SUE = "the-token-of-sue-";
  static final String RITA = "the-token-of-rita";
  static final String MIA = "the-token-of-mia-";
  static final AdminConfig CONFIG =
      new AdminConfig(
          "127.0.0.1",
          0,
          "",
          List.of(
              new OperatorToken("olga", Role.OPERATOR, List.of(OLGA)),
              new OperatorToken("sue", Role.SUPPORT, List.of(SUE)),
              new OperatorToken("rita", Role.READER, List.of(RITA)),
              new OperatorToken("mia", Role.METRICS, List.of(MIA))),
          TlsFiles.NONE);

  private static final Map<String, Call> CALLS =
      Map.ofEntries(
          Map.entry("isAlive", get("/livez")),
          Map.entry("isReady", get("/readyz")),
          Map.entry("getMetrics", get("/metrics")),
          Map.entry("getContract", get("/openapi.yaml")),
          Map.entry("getDocs", get("/docs")),
          Map.entry("getProblem", get("/problems/sold-out")),
          Map.entry("getPage", get("/")),
          Map.entry("getPageFile", get("/page/main.js")),
          Map.entry("watchLive", get("/admin/live")),
          Map.entry("listSkus", get("/admin/skus")),
          Map.entry("getSku", get("/admin/skus/7")),
          Map.entry("putSku", new Call("PUT", "/admin/skus/7", "{\"total_stock\":1000}")),
          Map.entry(
              "restockSku",
              new Call("POST", "/admin/skus/7/restock", "{\"restock_id\":\"r1\",\"qty\":-50}")),
          Map.entry("deleteSku", new Call("DELETE", "/admin/skus/7", "")),
          Map.entry("openSku", post("/admin/skus/7/open")),
          Map.entry("endSku", post("/admin/skus/7/end")),
          Map.entry("closeSku", post("/admin/skus/7/close")),
          Map.entry("followSku", post("/admin/skus/7/follow")),
          Map.entry("freezeSku", post("/admin/skus/7/freeze")),
          Map.entry("unfreezeSku", post("/admin/skus/7/unfreeze")),
          Map.entry("rebuildSku", post("/admin/skus/7/rebuild")),
          Map.entry("archiveSku", post("/admin/skus/7/archive")),
          Map.entry("forgetBuyer", post("/admin/buyers/alice/forget")),
          Map.entry("listSales", get("/admin/sales")),
          Map.entry("getSale", get("/admin/sales/phones-12")),
          Map.entry("getSaleReport", get("/admin/sales/phones-12/report")),
          Map.entry(
              "putSale",
              new Call(
                  "PUT",
                  "/admin/sales/phones-12",
                  "{\"name\":\"Singles' day,"
                      + " phones\",\"opens_at\":\"2026-12-01T10:00:00.000Z\",\"skus\":[{\"sku_id\":1001,\"total_stock\":500}]}")),
          Map.entry("deleteSale", new Call("DELETE", "/admin/sales/phones-12", "")),
          Map.entry("openSale", post("/admin/sales/phones-12/open")),
          Map.entry("closeSale", post("/admin/sales/phones-12/close")),
          Map.entry("followSale", post("/admin/sales/phones-12/follow")),
          Map.entry("endSale", post("/admin/sales/phones-12/end")),
          Map.entry("archiveSale", post("/admin/sales/phones-12/archive")),
          Map.entry("freezeSale", post("/admin/sales/phones-12/freeze")),
          Map.entry("unfreezeSale", post("/admin/sales/phones-12/unfreeze")),
          Map.entry("reconcile", post("/admin/reconcile")),
          Map.entry("getDrift", get("/admin/drift")),
          Map.entry("resetPartition", post("/admin/partitions/1/reset")),
          Map.entry("listOrders", get("/admin/orders?sku_id=1001")),
          Map.entry("getOrder", get("/admin/orders/1001.0.AAAAAAAAAAAAAAAAAAAAAA")),
          Map.entry(
              "commandOrder",
              new Call(
                  "POST",
                  "/admin/orders/1001.0.AAAAAAAAAAAAAAAAAAAAAA/command",
                  "{\"command\":\"cancel\"}")),
          Map.entry("listEvents", get("/admin/events")),
          Map.entry("listJobs", get("/admin/jobs")),
          Map.entry("getJob", get("/admin/jobs/rain")),
          Map.entry(
              "putJob",
              new Call(
                  "PUT",
                  "/admin/jobs/rain",
                  "{\"action\":\"refund-paid\",\"sale_id\":\"phones-12\"}")),
          Map.entry("stopJob", post("/admin/jobs/rain/stop")),
          Map.entry("listWebhooks", get("/admin/webhooks")),
          Map.entry("getWebhook", get("/admin/webhooks/shop")),
          Map.entry(
              "putWebhook",
              new Call(
                  "PUT",
                  "/admin/webhooks/shop",
                  "{\"url\":\"https://shop.example/hooks/sluice\",\"secret\":\"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"}")),
          Map.entry("deleteWebhook", new Call("DELETE", "/admin/webhooks/shop", "")),
          Map.entry("listWebhookFailures", get("/admin/webhooks/shop/failures")),
          Map.entry("replayWebhook", post("/admin/webhooks/shop/replay")),
          Map.entry("getBan", get("/admin/blacklist/alice")),
          Map.entry(
              "banBuyer",
              new Call("PUT", "/admin/blacklist/alice", "{\"ban_s\":600,\"reason\":\"fraud\"}")),
          Map.entry("liftBan", new Call("DELETE", "/admin/blacklist/alice", "")));

  private AdminCalls() {}

  /**
   * A request.
   *
   * @param body JSON; empty for none
   */
  record Call(String method, String path, String body) {
    Call at(String otherPath) {
      return new Call(method, otherPath, body);
    }

    Call with(String otherBody) {
      return new Call(method, path, otherBody);
    }

    Answer send(AdminPortFixture port, String token, String... more) {
      String[] headers = more;
      if (!token.isEmpty()) {
        headers = Arrays.copyOf(more, more.length + 2);
        headers[more.length] = "Authorization";
        headers[more.length + 1] = "Bearer " + token;
      }
      return body.isEmpty()
          ? port.probe.send(method, path, BodyPublishers.noBody(), headers)
          : port.probe.json(method, path, body, headers);
    }

    /** With its body, which is not said to be JSON. */
    Answer sendUntyped(AdminPortFixture port) {
      return port.probe.send(
          method, path, BodyPublishers.ofString(body), "Authorization", "Bearer " + OLGA);
    }
  }

  static Call of(String operation) {
    Call call = CALLS.get(operation);
    if (call == null) {
      throw new AssertionError("Expected a call of " + operation + ", but there is none");
    }
    return call;
  }

  private static Call get(String path) {
    return new Call("GET", path, "");
  }

  private static Call post(String path) {
    return new Call("POST", path, "");
  }
}
