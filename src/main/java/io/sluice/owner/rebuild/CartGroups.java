package io.sluice.owner.rebuild;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.fencing.Ownership;
import io.sluice.owner.rebuild.BucketLoader.Marked;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockReads;
import io.sluice.stock.StockReads.Snapshot;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Freezes the buckets of a request. That for a bucket of a sale with carts is completed by all
 * buckets of the sale. Orders have lines in several of them, and a grant that is dropped with one
 * bucket must not be left in the others.
 *
 * <p>Two kinds of buckets drop no grant, and are frozen alone. A fresh one has none. One that ends,
 * closed for good, drops none once all its grants are booked.
 */
final class CartGroups {
  static final int PAGE_MAX = 1_000;

  private final Buckets ledger;
  private final StockReads stock;
  private final Ownership ownership;
  private final int partition;
  private final BucketLoader loader;
  private final RebuildQueue requests;
  private final Runnable progressed;

  /**
   * @param progressed called after each bucket
   */
  CartGroups(
      OwnerContext context, BucketLoader loader, RebuildQueue requests, Runnable progressed) {
    this.ledger = context.ledger();
    this.stock = context.stock();
    this.ownership = context.ownership();
    this.partition = context.ownership().partition();
    this.loader = loader;
    this.requests = requests;
    this.progressed = progressed;
  }

  /**
   * Freezes all buckets of the request, its own first: only Redis and the ledger together tell
   * whether it is fresh. Other requests for them join it.
   */
  Future<Void> freeze(RebuildRequest request, long nowMs) {
    request.begins();
    return ledger
        .bucket(request.bucket())
        .compose(
            row ->
                isShared(row)
                    ? freezeShared(request, row.orElseThrow(), nowMs)
                    : freezeAll(request, row, nowMs));
  }

  private boolean isShared(Optional<BucketRow> row) {
    return row.filter(found -> found.carts() && found.partition() == partition)
        .filter(found -> !found.state().isEnded())
        .isPresent();
  }

  private Future<Void> freezeShared(RebuildRequest request, BucketRow row, long nowMs) {
    return hasAllBooked(request, row)
        .compose(
            ends ->
                freeze(request, Optional.of(row), nowMs)
                    .compose(
                        marked ->
                            request.isOfOne()
                                    && (ends || marked.filter(Marked::isFresh).isPresent())
                                ? Future.succeededFuture()
                                : ofSale(row.id().skuId())
                                    .onSuccess(all -> requests.addTo(request, all))
                                    .compose(all -> freezeOthers(request, nowMs))));
  }

  /**
   * Whether the bucket ends and no grant of it is unbooked. It is closed for good then, so that
   * stays true whatever becomes of Redis, but not in a ledger that is restored.
   */
  private Future<Boolean> hasAllBooked(RebuildRequest request, BucketRow row) {
    if (row.state() != SkuState.ENDING || ownership.wentBack()) {
      return Future.succeededFuture(false);
    }
    return request.hasAllBooked()
        ? Future.succeededFuture(true)
        : stock
            .snapshot(row.id(), List.of(), 0)
            .map(seen -> isClosedAndBooked(row, seen))
            .onSuccess(request::hasAllBooked);
  }

  private static boolean isClosedAndBooked(BucketRow row, Snapshot seen) {
    return seen.code() == BucketCode.OK
        && seen.epoch() == row.epoch()
        && seen.version() >= row.version()
        && seen.unbookedCount() == 0;
  }

  private Future<Void> freezeAll(RebuildRequest request, Optional<BucketRow> first, long nowMs) {
    return freeze(request, first, nowMs).compose(marked -> freezeOthers(request, nowMs));
  }

  private Future<Void> freezeOthers(RebuildRequest request, long nowMs) {
    return AsyncLoop.forEach(
        request.buckets().stream().filter(bucket -> !bucket.equals(request.bucket())).toList(),
        bucket -> ledger.bucket(bucket).compose(row -> freeze(request, row, nowMs)));
  }

  private Future<Optional<Marked>> freeze(
      RebuildRequest request, Optional<BucketRow> row, long nowMs) {
    progressed.run();
    return loader
        .freeze(row)
        .onSuccess(marked -> marked.ifPresent(one -> request.isFrozen(one, nowMs)));
  }

  private Future<List<BucketId>> ofSale(long skuId) {
    List<BucketId> all = new ArrayList<>();
    return AsyncLoop.whileTrue(
            () ->
                ledger
                    .ofSameSale(
                        partition,
                        skuId,
                        all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1)),
                        PAGE_MAX)
                    .map(
                        page -> {
                          all.addAll(page);
                          return page.size() == PAGE_MAX;
                        }))
        .map(all);
  }
}
