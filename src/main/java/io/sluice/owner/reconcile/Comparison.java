package io.sluice.owner.reconcile;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.StillBucket;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.owner.fencing.FenceLostException;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.fencing.Ownership;
import io.sluice.owner.reconcile.BucketDiff.SkipCause;
import io.sluice.owner.reconcile.BucketDiff.Skipped;
import io.sluice.stock.StockReads.Snapshot;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Compares one bucket with Redis, between two transactions of its owner. */
record Comparison(OwnerContext context) {

  /** Fails, and ends the ownership, if the fence is lost. */
  Future<BucketDiff> of(BucketId bucket) {
    return context.sequencer().take("comparison of bucket " + bucket, () -> look(bucket));
  }

  private Future<BucketDiff> look(BucketId bucket) {
    Ownership ownership = context.ownership();
    if (ownership.isLost()) {
      return Future.failedFuture(new FenceLostException(ownership.partition()));
    }
    return context
        .ledger()
        .compare(ownership.fence(), bucket, this::look)
        .compose(
            seen ->
                seen.isPresent()
                    ? Future.succeededFuture(seen.get())
                    : Future.failedFuture(ownership.lose()));
  }

  private Future<BucketDiff> look(StillBucket still) {
    if (still.restocking()) {
      return Future.succeededFuture(new Skipped(SkipCause.RESTOCKING));
    }
    if (still.unreleased().isEmpty()) {
      return Future.succeededFuture(new Skipped(SkipCause.RELEASING));
    }
    Map<OrderToken, Integer> unreleased = still.unreleased().get();
    return context
        .stock()
        .snapshot(still.row().id(), List.copyOf(unreleased.keySet()), StockStore.UNBOOKED_MAX)
        .onSuccess(seen -> watch(still.row(), seen))
        .compose(
            seen ->
                still
                    .booked(seen.unbooked().stream().map(Grant::token).toList())
                    .map(booked -> BucketDiff.of(still.row(), seen, unreleased, booked)));
  }

  /** Before the difference is repaired by a rebuild of this bucket alone. */
  private void watch(BucketRow row, Snapshot seen) {
    if (BucketNeed.isAhead(row, seen)) {
      context.ownership().wentBackFrom(seen.told().to());
    }
  }
}
