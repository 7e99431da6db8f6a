package io.sluice.owner.reconcile;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.owner.reconcile.BucketDiff.SkipCause;
import io.sluice.owner.reconcile.BucketDiff.Skipped;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of a pass of the {@link Reconciler} so far, and the callers that wait for its report.
 */
final class ReconcileTally {
  private final List<Promise<ReconcileReport>> waiting;
  private final Map<SkipCause, Integer> passedOver = new EnumMap<>(SkipCause.class);
  private int compared;
  private int frozenSkus;

  /** The last bucket that was compared; the pass continues after it. */
  Optional<BucketId> after = Optional.empty();

  ReconcileTally(List<Promise<ReconcileReport>> waiting) {
    this.waiting = waiting;
  }

  boolean isAwaited() {
    return !waiting.isEmpty();
  }

  void count(BucketDiff comparison) {
    if (comparison instanceof Skipped over) {
      passedOver.merge(over.reason(), 1, Integer::sum);
    } else {
      compared++;
    }
  }

  /** Counts the frozen SKUs of a page; each is counted where its first bucket is. */
  void see(List<BucketRow> rows) {
    for (BucketRow row : rows) {
      frozenSkus += row.id().bucket() == 0 && row.state() == SkuState.FROZEN ? 1 : 0;
    }
  }

  int frozenSkus() {
    return frozenSkus;
  }

  /** Nothing can have changed in this bucket since it agreed, so it counts as compared. */
  Future<Void> agreedBefore(BucketId bucket) {
    after = Optional.of(bucket);
    compared++;
    return Future.succeededFuture();
  }

  int compared() {
    return compared;
  }

  Map<SkipCause, Integer> passedOver() {
    return passedOver;
  }

  void tell(AsyncResult<ReconcileReport> report) {
    waiting.forEach(promise -> promise.handle(report));
  }
}
