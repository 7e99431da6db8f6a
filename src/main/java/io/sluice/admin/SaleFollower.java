package io.sluice.admin;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.ledger.SaleLedger;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets SKUs take over what their sales were changed to if the call that began it has ended early:
 * its time was over, or its instance has died. Looks after the end and the archive of sales until
 * they are done, tells if one stands still, and begins the end of those that were closed long ago.
 * Every instance does, and it does not matter how many.
 */
final class SaleFollower {
  static final Duration EVERY = Duration.ofSeconds(3);
  static final int SALES_MAX = 200;
  static final int CLOSED_MAX = 200;

  /** The ticks from one look at what does not end to the next one. */
  static final long LOOK_TICKS = StandingEnds.LOOK_EVERY.dividedBy(EVERY);

  private static final Logger log = LoggerFactory.getLogger(SaleFollower.class);

  private final SaleLedger sales;
  private final long endAfterMs;
  private final StandingEnds standing;
  private final BackgroundTask task = new BackgroundTask("sales", this::round);
  private long ticks;
  private String closedTo = "";

  /**
   * @param endAfter the time from a sale's closes_at to its end; zero if it does not end by itself
   */
  SaleFollower(SaleLedger sales, StandingEnds standing, Duration endAfter) {
    this.sales = sales;
    this.endAfterMs = endAfter.toMillis();
    this.standing = standing;
  }

  /** Called by a timer. */
  void tick() {
    task.wake();
  }

  private Future<Boolean> round() {
    return followAll()
        .compose(
            behind -> ticks++ % LOOK_TICKS == 0 ? standing.look(behind) : Future.succeededFuture())
        .compose(followed -> endAfterMs > 0 ? endClosed() : Future.succeededFuture())
        .map(false);
  }

  /** Looks through all sales that wait for something, page by page, and tells which they are. */
  private Future<List<String>> followAll() {
    return AsyncLoop.pages(
        SALES_MAX,
        last ->
            sales
                .behind(last.orElse(""), SALES_MAX)
                .compose(page -> AsyncLoop.forEach(page, this::follow).map(page)));
  }

  /** A sale that cannot be changed now does not keep the others waiting. */
  private Future<Void> follow(String saleId) {
    return tried(
        saleId,
        AsyncLoop.whileTrue(() -> sales.takeOver(saleId))
            .onSuccess(done -> standing.stepped(saleId))
            .onFailure(cause -> standing.failed(saleId, cause)));
  }

  /** Looks through a page of the sales, then through the next one. */
  private Future<Void> endClosed() {
    return sales
        .sales(closedTo, CLOSED_MAX)
        .compose(
            page -> {
              closedTo = page.size() < CLOSED_MAX ? "" : page.get(CLOSED_MAX - 1).sale().saleId();
              return AsyncLoop.forEach(
                  page.stream()
                      .filter(seen -> seen.sale().isClosedFor(endAfterMs, seen.nowMs()))
                      .map(seen -> seen.sale().saleId())
                      .toList(),
                  saleId -> tried(saleId, sales.endClosed(saleId, endAfterMs)));
            });
  }

  private static Future<Void> tried(String saleId, Future<Void> work) {
    return work.onFailure(
            cause ->
                log.atDebug()
                    .setCause(cause)
                    .addKeyValue("sale", saleId)
                    .log("SKUs of a sale cannot take it over now"))
        .otherwiseEmpty();
  }
}
