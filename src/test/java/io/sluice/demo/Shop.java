package io.sluice.demo;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** The demo's HTTP calls about one SKU. */
final class Shop {
  /** The SKU of the measured sale. */
  static final long SKU = 1001;

  private final SluiceProcess service;
  private final HttpCaller caller;
  private final long sku;

  Shop(SluiceProcess service, HttpCaller caller, long sku) {
    this.service = service;
    this.sku = sku;
    this.caller = caller;
  }

  /** Creates a sale with the SKU, or changes its payment window. */
  void put(long totalStock, Duration paymentWindow) {
    JsonObject one =
        new JsonObject().put("sku_id", sku).put("total_stock", totalStock).put("limit_per_user", 0);
    JsonObject body =
        new JsonObject()
            .put("name", "Demo")
            .put("opens_at", null)
            .put("payment_window_s", paymentWindow.toSeconds())
            .put("skus", new JsonArray().add(one));
    Answer answer = caller.ask(Call.put(saleUrl()).json(body));
    if (!answer.isYes()) {
      throw new DemoException("the service does not take SKU " + sku + ": " + answer.body());
    }
  }

  private String saleUrl() {
    return service.adminUrl() + "/admin/sales/demo-" + sku;
  }

  /** The report of the sale. */
  Answer report(String format) {
    return caller.ask(Call.get(saleUrl() + "/report?format=" + format));
  }

  Future<Answer> order(Buyer buyer, String key) {
    return caller.send(
        Call.post(service.url() + "/v1/orders")
            .as(buyer)
            .header("Idempotency-Key", key)
            .json(new JsonObject().put("sku_id", sku).put("qty", 1)));
  }

  Future<Answer> pay(String token) {
    return caller.send(Call.post(service.url() + "/v1/orders/" + token + "/confirm"));
  }

  Future<Answer> cancel(Buyer buyer, String token) {
    return caller.send(Call.post(service.url() + "/v1/orders/" + token + "/cancel").as(buyer));
  }
}
