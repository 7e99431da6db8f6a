package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.mysql.table.SkuTable;
import io.sluice.ledger.rules.DirectGate;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.Map;

/**
 * Brings units to an empty bucket of a SKU that sells in the ledger alone, from those that have
 * most. All buckets are locked, so that the sum of their allotments is the SKU's total at every
 * committed moment.
 */
final class GatherTransaction {
  private GatherTransaction() {}

  /** Whether the bucket has so many free units now. */
  static Future<Boolean> gather(SqlSession session, BucketId bucket, int qty) {
    return SkuTable.lock(session, bucket.skuId())
        .compose(
            sku ->
                sku.filter(Sku::isDirect).isEmpty()
                    ? Future.succeededFuture(false)
                    : SkuTransaction.on(session, sku.get())
                        .compose(held -> move(held, bucket.bucket(), qty)));
  }

  private static Future<Boolean> move(SkuTransaction held, int target, int qty) {
    Map<Integer, Long> changes = DirectGate.gathered(held.freeAfter(Map.of()), target, qty);
    if (changes.isEmpty()) {
      return Future.succeededFuture(held.bucket(target).free() >= qty);
    }
    String id = RestockPlan.moveId(target, held.bucket(target).nextWrite());
    return held.allot(changes, each -> RestockPlan.token(id, each, 1)).map(true);
  }
}
