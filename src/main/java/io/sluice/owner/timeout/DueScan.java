package io.sluice.owner.timeout;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.OrderReads.DuePage;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Looks at the holds of a partition that are due, page by page, and cancels their orders. */
final class DueScan {
  static final int PAGE_MAX = 2_000;

  private final Ledger ledger;
  private final int partition;
  private final DueCursor cursor;
  private final Function<List<OrderToken>, Future<Void>> cancel;

  /**
   * @param cancel cancels those of these orders that are not paid
   */
  DueScan(
      Ledger ledger,
      int partition,
      DueCursor cursor,
      Function<List<OrderToken>, Future<Void>> cancel) {
    this.ledger = ledger;
    this.partition = partition;
    this.cursor = cursor;
    this.cancel = cancel;
  }

  /**
   * Cancels a page of what is due, and after the last one a page of the walks; true where more is
   * due at once.
   *
   * @param read told of the page before its orders are canceled
   * @param ended told of it afterwards
   */
  Future<Boolean> step(long dueMs, Consumer<DuePage> read, Consumer<DuePage> ended) {
    return ledger
        .due(partition, cursor.next(dueMs), dueMs, PAGE_MAX)
        .compose(
            page -> {
              read.accept(page);
              return cancel
                  .apply(page.tokens())
                  .compose(
                      canceled -> {
                        ended.accept(page);
                        cursor.reached(page.last());
                        return page.complete() ? walkOn(dueMs) : Future.succeededFuture(true);
                      });
            });
  }

  /** One page beside each scan; false, since it does not ask for a next scan at once. */
  private Future<Boolean> walkOn(long dueMs) {
    return cursor
        .walk(dueMs)
        .map(after -> ledger.due(partition, after, dueMs, PAGE_MAX).compose(this::walk))
        .orElse(Future.succeededFuture(false));
  }

  private Future<Boolean> walk(DuePage page) {
    return cancel
        .apply(page.tokens())
        .map(
            ended -> {
              cursor.walked(page.last(), page.complete());
              return false;
            });
  }
}
