package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.rules.OutboxDraft;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A locked SKU, and what its sale makes of it. */
record ChangedSku(Sku before, Sku after) {

  /**
   * Writes these SKUs, and for those that sell otherwise now the outbox rows that update their
   * buckets in Redis.
   */
  static Future<Void> write(SqlSession session, List<ChangedSku> skus, long nowMs) {
    List<Sku> written =
        skus.stream()
            .filter(sku -> !sku.after().equals(sku.before()))
            .map(ChangedSku::after)
            .toList();
    List<Sku> differing =
        skus.stream()
            .filter(sku -> SaleRules.differs(sku.before(), sku.after()))
            .map(ChangedSku::after)
            .sorted(Comparator.comparingLong(Sku::skuId))
            .toList();
    return SkuTable.updateEach(session, written)
        .compose(
            done -> BucketTable.raiseVersions(session, differing.stream().map(Sku::skuId).toList()))
        .compose(done -> OutboxTable.insert(session, ceilings(differing), nowMs));
  }

  /** The outbox rows that update all buckets of these SKUs. */
  static List<OutboxDraft> ceilings(List<Sku> skus) {
    List<OutboxDraft> drafts = new ArrayList<>();
    for (Sku sku : skus) {
      for (int bucket = 0; bucket < sku.buckets(); bucket++) {
        PlacedBucket placed = sku.placed(bucket);
        drafts.add(OutboxPayload.ceiling(placed.partition(), placed.id()));
      }
    }
    return drafts;
  }
}
