package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Looks for what the other duties leave out: buckets that are gone and in Redis, and SKUs that were
 * closed long ago. Woken at the take-over, when Redis has a new history, and once a minute.
 *
 * <p>An owner may die between the end of a bucket and its deletion from Redis, and an old file of
 * Redis may bring all of them back. So all are looked at, from the first on, at the take-over and
 * in a new history. An owner that has lost its fence and does not know it can bring one back as
 * well. This is rare, and nothing is granted from it. So each minute one page is looked at, the
 * next one in turn, however many have ended; all of them again once one was found. The {@link
 * Rebuilder} deletes what is found, also if it has left the partition for its SKU's next sale, or
 * its SKU was deleted. A SKU is ended by the owner of its first bucket.
 *
 * <p>A step handles one page; a page that fails is looked at again at the next wake.
 */
final class EndWatch {
  static final int GONE_MAX = StockStore.BUCKETS_MAX;
  static final int CLOSED_MAX = 1_000;

  private final Ledger ledger;
  private final int partition;
  private final StockStore stock;
  private final Rebuilder rebuilder;
  private final long endAfterMs;
  private final BackgroundTask task;

  /** The last bucket of the page that was looked at last. */
  private Optional<BucketId> goneTo = Optional.empty();

  private Optional<BucketId> closedTo = Optional.empty();
  private boolean looksForGone = true;

  /** Whether page follows page, up to the last one. */
  private boolean looksAtAll = true;

  /** Whether Redis had something of one, in this walk or the page of this minute. */
  private boolean found;

  /** How often the walk has begun anew; a page counts for the walk that it is of. */
  private long walk;

  /**
   * @param endAfter the time from a SKU's closes_at to its end; zero if it does not end by itself
   */
  EndWatch(OwnerContext context, Rebuilder rebuilder, Duration endAfter) {
    this.ledger = context.ledger();
    this.partition = context.ownership().partition();
    this.stock = context.stock();
    this.rebuilder = rebuilder;
    this.endAfterMs = endAfter.toMillis();
    this.task = context.tasks().make("ends", this::step);
  }

  /** Looks at a page of what is gone, and for what is to end. */
  void wake() {
    if (found && !looksAtAll) {
      begin();
    }
    looksForGone = true;
    closedTo = Optional.empty();
    task.wake();
  }

  /** The same, but at all that is gone, from the first bucket on. */
  void wakeForAll() {
    begin();
    wake();
  }

  private void begin() {
    walk++;
    looksAtAll = true;
    found = false;
    goneTo = Optional.empty();
  }

  private Future<Boolean> step() {
    if (looksForGone) {
      return gonePage().map(done -> looksForGone || endAfterMs > 0);
    }
    return endAfterMs > 0 ? closedPage() : Future.succeededFuture(false);
  }

  private Future<Void> gonePage() {
    long walking = walk;
    return ledger
        .goneBuckets(partition, goneTo, GONE_MAX)
        .compose(
            page ->
                (page.isEmpty() ? Future.succeededFuture(false) : unloadLeft(page))
                    .onSuccess(
                        any -> {
                          if (walk == walking) {
                            looked(page, any);
                          }
                        }))
        .mapEmpty();
  }

  private void looked(List<BucketId> page, boolean any) {
    found |= any;
    goneTo = last(page, GONE_MAX);
    looksAtAll &= goneTo.isPresent();
    looksForGone = looksAtAll;
  }

  /** Whether Redis had anything of them. */
  private Future<Boolean> unloadLeft(List<BucketId> page) {
    return stock
        .hasAny(page)
        .compose(
            any ->
                any
                    ? AsyncLoop.forEach(page, this::unloadIfLeft).map(true)
                    : Future.succeededFuture(false));
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
                          closedTo = lastOf(rows, CLOSED_MAX);
                          return AsyncLoop.forEach(
                              rows, row -> endIfClosed(ledger, row, endAfterMs, nowMs));
                        }))
        .map(ended -> closedTo.isPresent());
  }

  /** Begins to end the SKU of its first bucket if it was closed so long ago. */
  static Future<Void> endIfClosed(Ledger ledger, BucketRow row, long endAfterMs, long nowMs) {
    boolean isDue =
        endAfterMs > 0
            && row.id().bucket() == 0
            && row.state().isClosedFor(endAfterMs, nowMs, row.settings().closesAtMs());
    return isDue ? ledger.endClosed(row.id().skuId(), endAfterMs) : Future.succeededFuture();
  }

  /** The bucket after which the next page begins; empty if this one is the last. */
  static Optional<BucketId> lastOf(List<BucketRow> page, int full) {
    return last(page.stream().map(BucketRow::id).toList(), full);
  }

  private static Optional<BucketId> last(List<BucketId> page, int full) {
    return page.size() == full ? Optional.of(page.get(full - 1)) : Optional.empty();
  }
}
