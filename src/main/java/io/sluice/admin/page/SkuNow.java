package io.sluice.admin.page;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockReads.Snapshot;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A SKU as it was last seen: by the ledger about a second ago, by Redis a moment ago.
 *
 * @param redis its buckets there; one that was not read, or could not be, is missing
 * @param movedNanos when units of it were last seen to move
 */
record SkuNow(Sku sku, List<BucketRow> rows, Map<BucketId, Snapshot> redis, long movedNanos) {

  SkuNow with(Map<BucketId, Snapshot> seen) {
    return new SkuNow(sku, rows, seen, movedNanos);
  }

  /** Whether Redis has answered for each of its buckets. */
  boolean isFromRedis() {
    return rows.stream().allMatch(row -> open(row) != null);
  }

  /** The units that can be granted now. */
  long available() {
    boolean redisTells = isFromRedis();
    return rows.stream().mapToLong(row -> available(row, redisTells)).sum();
  }

  private long available(BucketRow row, boolean redisTells) {
    Snapshot seen = redisTells ? open(row) : null;
    return Math.max(0, seen == null ? row.free() : seen.available());
  }

  private @Nullable Snapshot open(BucketRow row) {
    Snapshot seen = redis.get(row.id());
    return seen != null && seen.code() == BucketCode.OK ? seen : null;
  }

  /** Buckets that Redis cannot serve. */
  long shut() {
    return rows.stream()
        .map(row -> redis.get(row.id()))
        .filter(seen -> seen != null && seen.code() != BucketCode.OK)
        .count();
  }

  long held() {
    return rows.stream().mapToLong(BucketRow::held).sum();
  }

  long sold() {
    return rows.stream().mapToLong(BucketRow::soldNow).sum();
  }

  SkuState state(long nowMs) {
    return sku.state().at(nowMs, sku.settings().opensAtMs(), sku.settings().closesAtMs());
  }

  JsonObject json(long nowMs) {
    boolean redisTells = isFromRedis();
    JsonArray buckets = new JsonArray();
    for (BucketRow row : rows) {
      Snapshot seen = redis.get(row.id());
      buckets.add(
          new JsonArray()
              .add(row.id().bucket())
              .add(row.partition())
              .add(available(row, redisTells))
              .add(row.total())
              .add(seen == null ? "LEDGER" : seen.code().name()));
    }
    return new JsonObject()
        .put("sku_id", sku.skuId())
        .put("state", state(nowMs).name())
        .put("total", sku.stockNow())
        .put("available", available())
        .put("held", held())
        .put("sold", sold())
        .put("unbooked", redis.values().stream().mapToLong(Snapshot::unbookedCount).sum())
        .put("opens_at", sku.settings().opensAtMs())
        .put("closes_at", sku.settings().closesAtMs())
        .put("from", redisTells ? "redis" : "ledger")
        .put("buckets", buckets);
  }
}
