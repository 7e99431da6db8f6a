package io.sluice.owner.reconcile;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockReads.Snapshot;

/** The action that a bucket needs. */
enum BucketNeed {
  NOTHING,
  SWEEP,
  REBUILD,
  /** Its SKU is ending, and nothing of it is held or unbooked. */
  END;

  /**
   * The action that this bucket needs, given the ledger's row and the snapshot from Redis. A row
   * read before the snapshot may be outdated by a rebuild of this owner. So a bucket that is being
   * rebuilt needs nothing, and a difference in epochs is checked twice.
   */
  static BucketNeed of(BucketRow row, Snapshot seen, boolean takenCareOf) {
    if (takenCareOf) {
      return NOTHING;
    }
    if (seen.code() != BucketCode.OK || seen.epoch() != row.epoch()) {
      return REBUILD;
    }
    if (seen.unbookedCount() > 0) {
      return SWEEP;
    }
    boolean isClosed = row.state() == SkuState.ENDING && seen.version() >= row.version();
    return isClosed && row.held() == 0 ? END : NOTHING;
  }

  /**
   * Whether Redis has a later epoch or version than the ledger, which has each of them first: the
   * ledger was restored to an earlier state. Only if the row is not older than the snapshot.
   */
  static boolean isAhead(BucketRow row, Snapshot seen) {
    return seen.epoch() > row.epoch() || seen.version() > row.version();
  }
}
