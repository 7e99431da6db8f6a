package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.Buckets.TakeResult;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.mysql.table.FenceTable;
import io.sluice.ledger.mysql.table.LedgerRows;
import io.sluice.ledger.mysql.table.OutboxTable;
import io.sluice.ledger.mysql.table.SkuTable;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * What the transactions have in common in which an owner records what Redis has answered to an
 * intent to take units from a bucket.
 *
 * @param bucket the bucket that Redis was asked to take them from
 * @param buckets locks this bucket of the SKU, and the others that the answer changes
 * @param epoch of the bucket when Redis was asked
 * @param version of the total when Redis was asked
 */
record AnsweredIntent(
    SqlSession session,
    OutboxRow intent,
    BucketId bucket,
    Function<Sku, Future<SkuTransaction>> buckets,
    long epoch,
    long version) {

  /**
   * Runs the action with the SKU and these buckets locked, if the intent is pending and the answer is
   * still one of the bucket as it is.
   */
  Future<TakeResult> record(Fence fence, Function<SkuTransaction, Future<TakeResult>> action) {
    return FenceTable.holds(session, fence)
        .compose(
            mine ->
                mine
                    ? OutboxTable.lockPending(session, intent.id())
                        .compose(
                            pending ->
                                pending
                                    ? hold().compose(sku -> ifAsAsked(sku, action))
                                    : Future.succeededFuture(TakeResult.DONE))
                    : Future.succeededFuture(TakeResult.FENCE_LOST));
  }

  private Future<TakeResult> ifAsAsked(
      SkuTransaction sku, Function<SkuTransaction, Future<TakeResult>> action) {
    LedgerRows.LockedBucket now = sku.bucket(bucket.bucket());
    return now.epoch() == epoch && now.version() == version
        ? action.apply(sku)
        : Future.succeededFuture(TakeResult.BUCKET_CHANGED);
  }

  private Future<SkuTransaction> hold() {
    return SkuTable.lock(session, bucket.skuId())
        .compose(sku -> buckets.apply(sku.orElseThrow()));
  }
}
