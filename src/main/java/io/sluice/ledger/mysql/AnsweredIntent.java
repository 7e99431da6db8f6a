package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.OutboxRow;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The common part of the transactions in which an owner records the answer of Redis to an intent to
 * take units from a bucket.
 *
 * @param bucket the bucket that Redis was asked to take them from
 * @param hold locks the SKU, this bucket and what else the answer changes
 * @param epoch of the bucket when Redis was asked
 * @param version of the total when Redis was asked
 */
record AnsweredIntent(
    SqlSession session,
    OutboxRow intent,
    BucketId bucket,
    Supplier<Future<SkuTransaction>> hold,
    long epoch,
    long version) {

  /**
   * Runs the action with all this locked, if the intent is pending and the answer is still one of
   * the bucket as it is.
   */
  Future<TakeResult> record(Fence fence, Function<SkuTransaction, Future<TakeResult>> action) {
    return FenceTable.holds(session, fence)
        .compose(
            mine ->
                mine
                    ? OutboxTable.lockPending(session, intent)
                        .compose(
                            pending ->
                                pending
                                    ? hold.get().compose(sku -> ifAsAsked(sku, action))
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
}
