package io.sluice.demo;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
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

  /** Creates the SKU, or changes its payment window. */
  void put(long totalStock, Duration paymentWindow) {
    JsonObject body =
        new JsonObject()
            .put("total_stock", totalStock)
            .put("payment_window_s", paymentWindow.toSeconds());
    Answer answer = caller.ask(Call.put(service.adminUrl() + "/admin/skus/" + sku).json(body));
    if (!answer.isYes()) {
      throw new DemoException("the service does not take SKU " + sku + ": " + answer.body());
    }
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
