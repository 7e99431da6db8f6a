package io.sluice.owner.timeout;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.LogProgress.Looked;
import io.sluice.ledger.OrderReads;
import io.sluice.ledger.OrderReads.DuePage;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Looks at the holds of a partition that are due, page by page, and cancels their orders. */
final class DueScan {
  static final int PAGE_MAX = 2_000;

  /** An order has the time of Redis' clock, and an outage that of the ledger's. */
  private static final Duration CLOCKS_APART = Duration.ofSeconds(2);

  private final Ledger ledger;
  private final int partition;
  private final DueCursor cursor;
  private final Function<List<OrderToken>, Future<Void>> cancel;

  /** Of the orders that were placed after an outage, which it does not extend; null without one. */
  private @Nullable DueCursor fresh;

  /**
   * What is due.
   *
   * @param dueMs orders with a payment deadline up to this time are
   * @param nowMs and those with one up to this time that were placed after {@code sinceMs}
   * @param sinceMs when the last outage ended; 0 if there was none, or that is not known
   */
  record Due(long dueMs, long nowMs, long sinceMs) {}

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
   * Cancels a page of what is due, and after the last one a page of the walks; true if more is due
   * at once.
   *
   * @param read given the page before its orders are canceled
   * @param ended given it afterwards
   */
  Future<Boolean> step(Due now, Consumer<DuePage> read, Consumer<DuePage> ended) {
    return step(now.dueMs(), read, ended)
        .compose(more -> more ? Future.succeededFuture(true) : stepFresh(now));
  }

  /** Orders were booked; the earliest of their payment deadlines is this one. */
  void booked(long payBeforeMs) {
    cursor.booked(payBeforeMs);
    if (fresh != null) {
      fresh.booked(payBeforeMs);
    }
  }

  private Future<Boolean> stepFresh(Due now) {
    if (now.sinceMs() == 0 || now.dueMs() >= now.nowMs()) {
      fresh = null;
      return Future.succeededFuture(false);
    }
    DueCursor place = fresh == null ? new DueCursor() : fresh;
    if (fresh == null) {
      place.resume(new Looked(now.dueMs(), now.dueMs()));
      fresh = place;
    }
    return ledger
        .due(partition, place.next(now.nowMs()), now.nowMs(), OrderReads.ORDERS_MAX)
        .compose(
            page ->
                ledger
                    .orders(page.tokens())
                    .compose(found -> cancel.apply(placedAfter(now.sinceMs(), found)))
                    .map(
                        canceled -> {
                          place.reached(page.last());
                          return !page.complete();
                        }));
  }

  private static List<OrderToken> placedAfter(long sinceMs, Map<OrderToken, Order> found) {
    return found.values().stream()
        .filter(order -> order.createdAtMs() > sinceMs + CLOCKS_APART.toMillis())
        .map(Order::token)
        .sorted(Comparator.comparing(OrderToken::value))
        .toList();
  }

  private Future<Boolean> step(long dueMs, Consumer<DuePage> read, Consumer<DuePage> ended) {
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

  /** One page with each scan; false, since it does not ask for a next scan at once. */
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
