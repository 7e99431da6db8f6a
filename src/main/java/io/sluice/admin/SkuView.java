package io.sluice.admin;

import io.sluice.ledger.SkuLedger.Audit;
import io.sluice.model.Sku;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A SKU with its buckets, and the sums of its append-only rows.
 *
 * @param audit null if it was not requested, or could not be read
 */
record SkuView(Sku sku, List<BucketView> buckets, @Nullable Audit audit) {

  JsonObject json(long nowMs) {
    JsonArray each = new JsonArray();
    buckets.forEach(bucket -> each.add(bucket.json()));
    return SkuJson.of(sku, nowMs)
        .put("per_bucket", each)
        .put("totals", totals())
        .put("audit", auditJson());
  }

  private JsonObject totals() {
    return new JsonObject()
        .put("allotted", sum(bucket -> bucket.ledger().allotted()))
        .put("held", sum(bucket -> bucket.ledger().held()))
        .put("sold", sum(bucket -> bucket.ledger().sold()))
        .put("available", sum(bucket -> bucket.ledger().free()))
        .put("in_flight", sumIfAllTell(BucketView::inFlight))
        .put("drift", sumIfAllTell(BucketView::drift));
  }

  private long sum(ToLongFunction<BucketView> value) {
    return buckets.stream().mapToLong(value).sum();
  }

  private @Nullable Long sumIfAllTell(Function<BucketView, OptionalLong> value) {
    long sum = 0;
    for (BucketView bucket : buckets) {
      OptionalLong one = value.apply(bucket);
      if (one.isEmpty()) {
        return null;
      }
      sum += one.getAsLong();
    }
    return sum;
  }

  private @Nullable JsonObject auditJson() {
    if (audit == null) {
      return null;
    }
    return new JsonObject()
        .put("total", audit.total())
        .put("held", audit.held())
        .put("sold", audit.sold())
        .put("available", audit.available())
        .put("agrees", audit.agrees());
  }
}
