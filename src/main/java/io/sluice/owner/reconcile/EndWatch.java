package io.sluice.owner.reconcile;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.rebuild.Rebuilder;
import io.sluice.stock.StockGlances;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Looks for what the other duties leave out: buckets that are gone and in Redis, and SKUs that were
 * closed long ago. Woken at the take-over, where Redis has a new history, and once a minute.
 *
 * <p>An owner may die between the end of a bucket and its deletion from Redis, and an old file of
 * Redis, or an owner that has lost its fence and does not know it, may bring a bucket back. The
 * {@link Rebuilder} deletes such a bucket, also where it has left the partition for its SKU's next
 * sale. A SKU is ended by the owner of its first bucket.
 *
 * <p>A step handles one page; a page that fails is looked at again at the next wake.
 */
public final class EndWatch {
  static final int GONE_MAX = StockGlances.BUCKETS_MAX;
  static final int CLOSED_MAX = 1_000;

  private final Ledger ledger;
  private final int partition;
  private final StockStore stock;
  private final Rebuilder rebuilder;
  private final long endAfterMs;
  private final BackgroundTask task;
  private Optional<BucketId> goneTo = Optional.empty();
  private Optional<BucketId> closedTo = Optional.empty();
  private boolean looksForGone = true;

  /**
   * @param endAfter the time from a SKU's closes_at to its end; zero where it does not end by
   *     itself
   */
  public EndWatch(OwnerContext context, Rebuilder rebuilder, Duration endAfter) {
    this.ledger = context.ledger();
    this.partition = context.ownership().partition();
    this.stock = context.stock();
    this.rebuilder = rebuilder;
    this.endAfterMs = endAfter.toMillis();
    this.task = context.tasks().make("ends", this::step);
  }

  /** Begins to look, from the first bucket on. */
  public void wake() {
    looksForGone = true;
    goneTo = Optional.empty();
    closedTo = Optional.empty();
    task.wake();
  }

  public Future<Void> stop() {
    return task.stop();
  }

  private Future<Boolean> step() {
    if (looksForGone) {
      return gonePage().map(more -> looksForGone || endAfterMs > 0);
    }
    return endAfterMs > 0 ? closedPage() : Future.succeededFuture(false);
  }

  private Future<Boolean> gonePage() {
    return ledger
        .goneBuckets(partition, goneTo, GONE_MAX)
        .compose(
            page -> {
              goneTo = last(page, GONE_MAX);
              looksForGone = goneTo.isPresent();
              return page.isEmpty() ? Future.succeededFuture() : unloadLeft(page);
            })
        .map(looked -> looksForGone);
  }

  private Future<Void> unloadLeft(List<BucketId> page) {
    return stock
        .hasAny(page)
        .compose(
            any ->
                any ? AsyncLoop.forEach(page, this::unloadIfLeft) : Future.<Void>succeededFuture());
  }

  private Future<Void> unloadIfLeft(BucketId bucket) {
    return stock
        .hasAny(List.of(bucket))
        .onSuccess(
            any -> {
              if (any && !rebuilder.isHandled(bucket)) {
                rebuilder.request(bucket, "it is gone, but Redis has it");
              }
            })
        .mapEmpty();
  }

  private Future<Boolean> closedPage() {
    return ledger
        .nowMs()
        .compose(
            nowMs ->
                ledger
                    .buckets(partition, closedTo, CLOSED_MAX)
                    .compose(
                        rows -> {
                          closedTo = last(rows.stream().map(BucketRow::id).toList(), CLOSED_MAX);
                          return AsyncLoop.forEach(
                              rows.stream().filter(row -> isDue(row, nowMs)).toList(),
                              row -> ledger.endClosed(row.id().skuId(), endAfterMs));
                        }))
        .map(ended -> closedTo.isPresent());
  }

  private boolean isDue(BucketRow row, long nowMs) {
    return row.id().bucket() == 0
        && row.state().isClosedFor(endAfterMs, nowMs, row.settings().closesAtMs());
  }

  private static Optional<BucketId> last(List<BucketId> page, int full) {
    return page.size() == full ? Optional.of(page.get(full - 1)) : Optional.empty();
  }
}
