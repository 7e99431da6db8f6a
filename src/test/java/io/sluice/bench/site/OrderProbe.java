package io.sluice.bench.site;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/** A buyer of one unit of a SKU, another one each time. */
public record OrderProbe(Site site, long skuId) {
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** Asks once; what was heard is part of the site's audit. */
  public boolean isGranted() {
    JsonObject body = new JsonObject().put("sku_id", skuId).put("qty", 1);
    Answer answer =
        site.caller()
            .ask(
                Call.post(site.service().url() + "/v1/orders")
                    .header("X-User-Id", site.newBuyers())
                    .within(LIMIT)
                    .json(body));
    (answer.isYes() ? site.accepted() : site.unheard()).merge(skuId, 1L, Long::sum);
    return answer.isYes();
  }
}
