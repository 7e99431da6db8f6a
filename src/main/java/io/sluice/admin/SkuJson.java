package io.sluice.admin;

import io.sluice.model.Sku;
import io.sluice.web.format.Rfc3339;
import io.vertx.core.json.JsonObject;
import java.util.Locale;

/** The JSON of a SKU for operators. */
final class SkuJson {
  private SkuJson() {}

  /**
   * @param nowMs the time for which the state is given
   */
  static JsonObject of(Sku sku, long nowMs) {
    long opensAtMs = sku.settings().opensAtMs();
    long closesAtMs = sku.settings().closesAtMs();
    JsonObject json =
        new JsonObject()
            .put("sku_id", sku.skuId())
            .put("state", sku.state().at(nowMs, opensAtMs, closesAtMs).name())
            .put("total_stock", sku.stockNow())
            .put("buckets", sku.buckets())
            .put("mode", sku.mode().name().toLowerCase(Locale.ROOT))
            .put("payment_window_s", sku.settings().paymentWindowS())
            .put("limit_per_user", sku.settings().limitPerUser())
            .put("opens_at", Rfc3339.orNull(opensAtMs))
            .put("closes_at", Rfc3339.orNull(closesAtMs))
            .put("ticket", sku.settings().ticket());
    String saleId = sku.membership().saleId();
    return saleId == null ? json : json.put("sale_id", saleId);
  }
}
