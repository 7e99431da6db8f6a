package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.stock.Stock;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads buckets from Redis, a limited number at once. */
final class BucketViews {
  private static final Logger log = LoggerFactory.getLogger(BucketViews.class);
  private static final int AT_ONCE_MAX = 32;

  private final Stock stock;

  BucketViews(Stock stock) {
    this.stock = stock;
  }

  /**
   * Reads these buckets, in order. Never fails: a value that cannot be read from Redis is missing
   * in the view.
   */
  Future<List<BucketView>> of(List<BucketRow> rows, int unbookedMax) {
    List<BucketView> seen = new ArrayList<>(rows.size());
    return AsyncLoop.whileTrue(
            () -> {
              if (seen.size() == rows.size()) {
                return Future.succeededFuture(false);
              }
              int end = Math.min(rows.size(), seen.size() + AT_ONCE_MAX);
              List<Future<BucketView>> chunk =
                  rows.subList(seen.size(), end).stream()
                      .map(row -> look(row, unbookedMax))
                      .toList();
              return Future.all(chunk)
                  .map(
                      all -> {
                        chunk.forEach(view -> seen.add(view.result()));
                        return true;
                      });
            })
        .map(seen);
  }

  /** Whether Redis shows at least what these rows of the ledger say. Never fails. */
  Future<Boolean> areShown(List<BucketRow> rows) {
    return of(rows, 0).map(seen -> seen.stream().allMatch(BucketView::isShown));
  }

  /** Whether Redis grants nothing more of these buckets, whose SKU is ending. */
  Future<Boolean> haveStopped(List<BucketRow> rows) {
    return of(rows, 0).map(seen -> seen.stream().allMatch(BucketView::hasStopped));
  }

  private Future<BucketView> look(BucketRow row, int unbookedMax) {
    if (row.isDirect()) {
      return Future.succeededFuture(new BucketView(row, null));
    }
    return stock
        .at(row.partition())
        .snapshot(row.id(), List.of(), unbookedMax)
        .map(snapshot -> new BucketView(row, snapshot))
        .otherwise(
            cause -> {
              log.atDebug()
                  .setCause(cause)
                  .addKeyValue("bucket", row.id())
                  .log("bucket cannot be read from Redis");
              return new BucketView(row, null);
            });
  }
}
