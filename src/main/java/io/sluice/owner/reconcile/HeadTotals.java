package io.sluice.owner.reconcile;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.rebuild.BucketLoader;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockReads.Snapshot;
import io.vertx.core.Future;

/**
 * Tells buckets in Redis the total of their SKU if they do not know it. These are those that the
 * release before has loaded or changed, or whose SKU it has restocked in other buckets. Until all
 * of them know the same, nobody gets the answer that the SKU is sold out.
 */
final class HeadTotals {
  private final OwnerContext context;

  HeadTotals(OwnerContext context) {
    this.context = context;
  }

  /** Whether the bucket knows the total that is of its version, or is about to get a new one. */
  static boolean isKnown(BucketRow row, Snapshot seen) {
    return seen.code() != BucketCode.OK
        || seen.epoch() != row.epoch()
        || seen.version() != row.version()
        || row.skuTotal().isEmpty()
        || row.skuTotal().getAsLong() == seen.skuTotal();
  }

  /** Redis takes the total over only if the bucket still has this version; nothing else changes. */
  Future<Void> tell(BucketRow row, Snapshot seen) {
    return isKnown(row, seen)
        ? Future.succeededFuture()
        : BucketLoader.ceiling(context, row)
            .compose(
                ceiling -> context.stock().restock(row.id(), context.ownership().term(), ceiling))
            .mapEmpty();
  }
}
