package io.sluice.testkit.site;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Bodies with which sales are put. */
public final class SaleBodies {
  private SaleBodies() {}

  /**
   * A sale without an opening time, of SKUs that have the same terms. Further terms of the sale are
   * put into the result.
   *
   * @param terms of each SKU: its total_stock and what else it sets
   */
  public static JsonObject of(String name, List<Long> skuIds, JsonObject terms) {
    JsonArray skus = new JsonArray();
    skuIds.forEach(skuId -> skus.add(terms.copy().put("sku_id", skuId)));
    return new JsonObject().put("name", name).putNull("opens_at").put("skus", skus);
  }
}
