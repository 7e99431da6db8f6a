package io.sluice.stock.redis;

import io.sluice.async.AsyncLoop;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Calls with more tokens than one script call takes. */
final class BatchPages {
  private BatchPages() {}

  /**
   * Runs the step for each page of at most {@link StockStore#BATCH_MAX} items, up to the first page
   * whose code is not OK.
   */
  static <T> Future<BucketCode> inPages(List<T> all, Function<List<T>, Future<BucketCode>> step) {
    if (all.size() <= StockStore.BATCH_MAX) {
      return all.isEmpty() ? Future.succeededFuture(BucketCode.OK) : step.apply(all);
    }
    AtomicInteger done = new AtomicInteger();
    AtomicReference<BucketCode> last = new AtomicReference<>(BucketCode.OK);
    return AsyncLoop.whileTrue(
            () -> {
              int from = done.get();
              int end = Math.min(from + StockStore.BATCH_MAX, all.size());
              done.set(end);
              return step.apply(all.subList(from, end))
                  .map(
                      code -> {
                        last.set(code);
                        return code == BucketCode.OK && end < all.size();
                      });
            })
        .map(ended -> last.get());
  }
}
