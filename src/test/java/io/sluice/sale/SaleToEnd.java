package io.sluice.sale;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A sale of three SKUs of two buckets that an operator puts, ends and archives.
 *
 * @param skus in order
 */
public record SaleToEnd(SaleSite site, String id, List<Long> skus) {
  public SaleToEnd(SaleSite site) {
    this(
        site,
        "sale-" + site.newSkuId(),
        LongStream.range(0, 3).mapToObj(n -> site.newSkuId()).sorted().toList());
  }

  public JsonObject body(String closesAt) {
    return SaleBodies.of(
            "Singles' day", skus, new JsonObject().put("total_stock", 10).put("buckets", 2))
        .put("closes_at", closesAt)
        .put("payment_window_s", 3_600);
  }

  /** Creates it open, without an end; as often as it takes while a server is away. */
  public void put() {
    site.putSale(id, body(null));
  }

  public Answer send(JsonObject body) {
    return site.desk("PUT", "/admin/sales/" + id, body);
  }

  public Answer tell(String what) {
    return site.desk("POST", "/admin/sales/" + id + "/" + what);
  }

  public JsonObject view() {
    return site.desk("GET", "/admin/sales/" + id).json();
  }
}
