package io.sluice.owner.rebuild;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Freezes the buckets of a request. That for a bucket of a sale with carts is completed by all
 * buckets of the sale: orders have lines in several of them, and a line is worth nothing once the
 * others are of another history.
 */
final class CartGroups {
  static final int PAGE_MAX = 1_000;

  private final Buckets ledger;
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
    this.partition = context.ownership().partition();
    this.loader = loader;
    this.requests = requests;
    this.progressed = progressed;
  }

  /** Freezes all buckets of the request. Other requests for them join it. */
  Future<Void> freeze(RebuildRequest request, long nowMs) {
    request.begins();
    return ledger
        .bucket(request.bucket())
        .compose(
            first ->
                completed(request, first)
                    .compose(
                        all ->
                            AsyncLoop.forEach(
                                all,
                                bucket ->
                                    (bucket.equals(request.bucket())
                                            ? Future.succeededFuture(first)
                                            : ledger.bucket(bucket))
                                        .compose(row -> freeze(request, row, nowMs)))));
  }

  private Future<Void> freeze(RebuildRequest request, Optional<BucketRow> row, long nowMs) {
    progressed.run();
    return loader
        .freeze(row)
        .onSuccess(marked -> marked.ifPresent(one -> request.isFrozen(one, nowMs)))
        .mapEmpty();
  }

  /** The buckets of the request, all those that must be opened with its first one included. */
  private Future<List<BucketId>> completed(RebuildRequest request, Optional<BucketRow> first) {
    return (first.filter(this::isShared).isPresent()
            ? ofSale(request.bucket().skuId()).onSuccess(all -> requests.addTo(request, all))
            : Future.<Void>succeededFuture())
        .map(done -> List.copyOf(request.buckets()));
  }

  private boolean isShared(BucketRow row) {
    return row.carts() && row.partition() == partition && !row.state().isEnded();
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
