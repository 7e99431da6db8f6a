package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.Audit;
import io.sluice.model.Sku;
import io.sluice.stock.Stock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Reads SKUs from the ledger and their buckets from Redis. */
final class SkuViews {
  /** A page ends with the SKU that reaches this number of buckets. */
  private static final int BUCKETS_A_PAGE = 512;

  private final SkuLedger ledger;
  private final BucketViews buckets;

  SkuViews(SkuLedger ledger, Stock stock) {
    this.ledger = ledger;
    this.buckets = new BucketViews(stock);
  }

  /** The SKU with its buckets and its audit; empty if it does not exist. */
  Future<Optional<SkuView>> view(long skuId) {
    return ledger
        .sku(skuId)
        .compose(
            sku ->
                sku.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : ledger
                        .audit(skuId)
                        .otherwise(Optional.empty())
                        .compose(audit -> look(sku.get(), audit.orElse(null)))
                        .map(Optional::of));
  }

  private Future<SkuView> look(Sku sku, @Nullable Audit audit) {
    return ledger
        .bucketsOf(sku.skuId())
        .compose(rows -> buckets.of(rows, BucketView.UNBOOKED_MAX))
        .map(views -> new SkuView(sku, views, audit));
  }

  /**
   * A page of SKUs in id order, without their audits.
   *
   * @param nextAfter where the next page begins, or null if there is none
   */
  record Page(List<SkuView> skus, @Nullable Long nextAfter) {}

  /** Up to {@code limit} SKUs after {@code afterSkuId}. */
  Future<Page> page(long afterSkuId, int limit) {
    return ledger
        .skus(afterSkuId, limit)
        .compose(this::lookAtPage)
        .map(
            seen -> {
              boolean more = seen.size() == limit || seen.isCut();
              return new Page(seen.views(), more ? seen.last() : null);
            });
  }

  /** The part of a page that was read so far. */
  private record Seen(List<SkuView> views, boolean isCut) {
    int size() {
      return views.size();
    }

    long last() {
      return views.get(views.size() - 1).sku().skuId();
    }
  }

  private Future<Seen> lookAtPage(List<Sku> skus) {
    List<SkuView> seen = new ArrayList<>();
    AtomicInteger bucketsSeen = new AtomicInteger();
    return AsyncLoop.whileTrue(
            () -> {
              if (seen.size() == skus.size() || bucketsSeen.get() >= BUCKETS_A_PAGE) {
                return Future.succeededFuture(false);
              }
              Sku sku = skus.get(seen.size());
              bucketsSeen.addAndGet(sku.buckets());
              return look(sku, null).map(seen::add);
            })
        .map(done -> new Seen(seen, seen.size() < skus.size()));
  }
}
