package io.sluice.demo;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** The demo's HTTP calls, about its one SKU. */
final class Shop {
  static final long SKU = 1001;

  private final SluiceProcess service;
  private final HttpCaller caller;

  Shop(SluiceProcess service, HttpCaller caller) {
    this.service = service;
    this.caller = caller;
  }

  /** Creates the SKU, or changes how long its buyers have to pay. */
  void put(long totalStock, Duration paymentWindow) {
    JsonObject body =
        new JsonObject()
            .put("total_stock", totalStock)
            .put("payment_window_s", paymentWindow.toSeconds());
    Answer answer = caller.ask(Call.put(service.adminUrl() + "/admin/skus/" + SKU).json(body));
    if (!answer.isYes()) {
      throw new DemoException("the service does not take SKU " + SKU + ": " + answer.body());
    }
  }

  Future<Answer> order(Buyer buyer, String key) {
    return caller.send(
        Call.post(service.url() + "/v1/orders")
            .as(buyer)
            .header("Idempotency-Key", key)
            .json(new JsonObject().put("sku_id", SKU).put("qty", 1)));
  }

  Future<Answer> pay(String token) {
    return caller.send(Call.post(service.url() + "/v1/orders/" + token + "/confirm"));
  }

  Future<Answer> cancel(Buyer buyer, String token) {
    return caller.send(Call.post(service.url() + "/v1/orders/" + token + "/cancel").as(buyer));
  }
}
