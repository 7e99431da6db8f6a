package io.sluice.ledger;

import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.rules.MarkCrossings;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import java.util.List;

/** The watermarks that the stock of SKUs has passed, in memory. */
final class InMemoryMarks {
  private final InMemoryTables tables;

  InMemoryMarks(InMemoryTables tables) {
    this.tables = tables;
  }

  List<MarkedStock> page(int partition, long afterSkuId, int limit) {
    return tables.skus.values().stream()
        .filter(sku -> sku.skuId() > afterSkuId && !sku.state().isEnding())
        .filter(sku -> tables.bucket(new BucketId(sku.skuId(), 0)).partition() == partition)
        .filter(sku -> !tables.gone.ended.contains(new BucketId(sku.skuId(), 0)))
        .limit(limit)
        .map(this::stock)
        .toList();
  }

  private MarkedStock stock(Sku sku) {
    List<BucketId> buckets = tables.bucketsOf(sku.skuId());
    MarkedStock kept = tables.marks.get(sku.skuId());
    return new MarkedStock(
        sku.skuId(),
        buckets.stream()
            .mapToLong(id -> tables.bucket(id).allotted() - tables.bucket(id).base())
            .sum(),
        buckets.stream().mapToLong(id -> tables.bucket(id).free()).sum(),
        sku.settings().marks(),
        kept == null ? 0 : kept.below(),
        kept == null ? 0 : kept.crossings(),
        sku.membership().saleId());
  }

  void cross(int partition, long afterSkuId, int limit, long nowMs) {
    for (MarkCrossings each : MarkCrossings.ofAll(page(partition, afterSkuId, limit))) {
      tables.marks.put(each.after().skuId(), each.after());
      InMemoryOutbox.leaveAll(tables, each.events(partition, nowMs), nowMs);
    }
  }
}
