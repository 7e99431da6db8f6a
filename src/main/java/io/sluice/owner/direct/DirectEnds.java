package io.sluice.owner.direct;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Ends buckets of direct SKUs that are ENDING, once nothing of them is held, and begins to end SKUs
 * that were closed long ago. Each step looks at one page, around and around, so that the cost does
 * not grow with the number of SKUs.
 */
final class DirectEnds {
  static final int PAGE_MAX = 1_000;

  /** How many buyers one transaction forgets. */
  static final int BUYERS_MAX = 2_000;

  private final Ledger ledger;
  private final DirectLedger direct;
  private final long endAfterMs;
  private Optional<BucketId> after = Optional.empty();

  DirectEnds(Ledger ledger, DirectLedger direct, Duration endAfter) {
    this.ledger = ledger;
    this.direct = direct;
    this.endAfterMs = endAfter.toMillis();
  }

  Future<Boolean> step() {
    return ledger
        .nowMs()
        .compose(
            nowMs ->
                ledger
                    .buckets(Placement.DIRECT, after, PAGE_MAX)
                    .compose(
                        page ->
                            AsyncLoop.forEach(page, row -> look(row, nowMs))
                                .onSuccess(looked -> after = last(page))))
        .map(false);
  }

  private Future<Void> look(BucketRow row, long nowMs) {
    if (row.state() == SkuState.ENDING && row.held() == 0) {
      return AsyncLoop.whileTrue(() -> direct.endBucket(row.id(), BUYERS_MAX));
    }
    boolean isDue =
        endAfterMs > 0
            && row.id().bucket() == 0
            && row.state().isClosedFor(endAfterMs, nowMs, row.settings().closesAtMs());
    return isDue ? ledger.endClosed(row.id().skuId(), endAfterMs) : Future.succeededFuture();
  }

  private static Optional<BucketId> last(List<BucketRow> page) {
    return page.size() == PAGE_MAX ? Optional.of(page.get(PAGE_MAX - 1).id()) : Optional.empty();
  }
}
