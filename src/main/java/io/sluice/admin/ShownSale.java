package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Poll;
import io.sluice.async.Poll.Deadline;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;

/**
 * Looks through the SKUs of a sale, in pages, until Redis shows all of them. It does not look again
 * at SKUs that it has seen once.
 */
final class ShownSale {
  static final int PAGE = 200;

  private final SaleLedger sales;
  private final SkuLedger skus;
  private final BucketViews views;
  private final String saleId;
  private long shownTo;
  private boolean all;

  ShownSale(SaleLedger sales, SkuLedger skus, BucketViews views, String saleId) {
    this.sales = sales;
    this.skus = skus;
    this.views = views;
    this.saleId = saleId;
  }

  /** Whether Redis shows all; false if the time was over before. */
  Future<Boolean> until(Poll poll, Deadline deadline) {
    return poll.until(deadline, () -> goOn(poll, deadline), done -> done);
  }

  /** Goes through pages that are shown. */
  private Future<Boolean> goOn(Poll poll, Deadline deadline) {
    return AsyncLoop.whileTrue(
            () -> poll.isOver(deadline) ? Future.succeededFuture(false) : nextPage())
        .map(stopped -> all);
  }

  /** Whether the next page is shown, and there may be one after it. */
  private Future<Boolean> nextPage() {
    return sales
        .skusOf(saleId, shownTo, PAGE)
        .compose(
            page -> {
              List<Long> ids = page.stream().map(Sku::skuId).toList();
              return skus.bucketsOf(ids)
                  .compose(rows -> views.areShown(flat(rows.values())))
                  .map(
                      shown -> {
                        all = shown && page.size() < PAGE;
                        if (shown && !ids.isEmpty()) {
                          shownTo = ids.get(ids.size() - 1);
                        }
                        return shown && !all;
                      });
            });
  }

  private static List<BucketRow> flat(Collection<List<BucketRow>> rows) {
    return rows.stream().flatMap(List::stream).toList();
  }
}
