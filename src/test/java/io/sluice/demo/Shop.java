package io.sluice.demo;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/** The demo's HTTP calls about one sale. */
record Shop(SluiceProcess service, HttpCaller caller, String saleId, List<Long> skus) {
  /** The measured sale, and its SKUs. */
  static final String SALE = "phones-12";

  static final List<Long> SKUS = List.of(1001L, 1002L, 1003L, 1004L);

  /** Creates the sale, or changes its payment window; its SKUs share the units. */
  void put(long units, Duration paymentWindow) {
    JsonObject terms = new JsonObject().put("total_stock", units / skus.size());
    JsonObject body =
        SaleBodies.of("Singles' day, phones", skus, terms)
            .put("payment_window_s", paymentWindow.toSeconds());
    Answer answer = caller.ask(Call.put(saleUrl()).json(body));
    if (!answer.isYes()) {
      throw new DemoException("the service does not take sale " + saleId + ": " + answer.body());
    }
  }

  /** Ends the sale; whether it has ended. Repeated until it has. */
  boolean end() {
    return caller.ask(Call.post(saleUrl() + "/end")).status() == 200;
  }

  /** The report of the sale. */
  Answer report(String format) {
    return caller.ask(Call.get(saleUrl() + "/report?format=" + format));
  }

  private String saleUrl() {
    return service.adminUrl() + "/admin/sales/" + saleId;
  }

  private long skuOf(Buyer buyer) {
    return skus.get(Math.floorMod(buyer.userId().hashCode(), skus.size()));
  }

  Future<Answer> order(Buyer buyer, String key) {
    return caller.send(
        Call.post(service.url() + "/v1/orders")
            .as(buyer)
            .header("Idempotency-Key", key)
            .json(new JsonObject().put("sku_id", skuOf(buyer)).put("qty", 1)));
  }

  Future<Answer> pay(String token) {
    return caller.send(Call.post(service.url() + "/v1/orders/" + token + "/confirm"));
  }

  Future<Answer> cancel(Buyer buyer, String token) {
    return caller.send(Call.post(service.url() + "/v1/orders/" + token + "/cancel").as(buyer));
  }
}
