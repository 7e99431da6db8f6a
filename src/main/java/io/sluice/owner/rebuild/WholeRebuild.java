package io.sluice.owner.rebuild;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rebuilds all buckets of a partition, because the ledger was restored to an earlier state, or
 * because records of its log were deleted before they were booked. In the second case the {@link
 * Rebuilder} first books what Redis still knows of them.
 */
public final class WholeRebuild {
  public static final int PAGE_MAX = 1_000;

  private final Ledger ledger;
  private final int partition;
  private final Rebuilder rebuilder;

  public WholeRebuild(OwnerContext context, Rebuilder rebuilder) {
    this.ledger = context.ledger();
    this.partition = context.ownership().partition();
    this.rebuilder = rebuilder;
  }

  /**
   * Completes when all buckets are open again. After a failure the whole rebuild may be repeated.
   */
  public Future<Void> run(String why) {
    List<BucketId> buckets = new ArrayList<>();
    return AsyncLoop.whileTrue(() -> nextPage(buckets))
        .compose(
            read ->
                Future.join(buckets.stream().map(bucket -> rebuilder.request(bucket, why)).toList())
                    .mapEmpty());
  }

  private Future<Boolean> nextPage(List<BucketId> soFar) {
    Optional<BucketId> after =
        soFar.isEmpty() ? Optional.empty() : Optional.of(soFar.get(soFar.size() - 1));
    return ledger
        .buckets(partition, after, PAGE_MAX)
        .map(
            rows -> {
              rows.stream().map(BucketRow::id).forEach(soFar::add);
              return rows.size() == PAGE_MAX;
            });
  }
}
