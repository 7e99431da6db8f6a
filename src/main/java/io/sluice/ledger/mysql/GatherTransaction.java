package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.rules.Gathering;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.Map;

/**
 * Brings units to an empty bucket in the ledger alone, from those that have most. All buckets are
 * locked, so that the sum of their allotments is the SKU's total at every committed moment.
 */
final class GatherTransaction {
  private GatherTransaction() {}

  /** Of a SKU that sells in the ledger alone: whether the bucket has so many free units now. */
  static Future<Boolean> gather(SqlSession session, BucketId bucket, int qty) {
    return SkuTable.lock(session, bucket.skuId())
        .compose(
            sku ->
                sku.filter(Sku::isDirect).isEmpty()
                    ? Future.succeededFuture(false)
                    : SkuTransaction.on(session, sku.get())
                        .compose(held -> ahead(held, bucket.bucket(), qty)));
  }

  private static Future<Boolean> ahead(SkuTransaction held, int target, int qty) {
    Map<Integer, Long> changes = Gathering.ahead(held.freeAfter(Map.of()), target, qty);
    return changes.isEmpty()
        ? Future.succeededFuture(held.bucket(target).free() >= qty)
        : move(held, target, changes).map(true);
  }

  private static Future<Void> move(SkuTransaction held, int target, Map<Integer, Long> changes) {
    String id = RestockPlan.moveId(target, held.bucket(target).nextWrite());
    return held.allot(changes, each -> RestockPlan.token(id, each, 1));
  }
}
