package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.rules.MarkCrossings;
import io.sluice.model.Placement;
import io.vertx.core.Future;
import java.util.List;

/**
 * Looks for SKUs whose stock has crossed a watermark. A SKU is looked after by the owner of its
 * first bucket alone, over all of its buckets, as the ledger counts them. So neither a rebuild nor
 * another owner crosses a mark again, and the next owner finds the marks that one did not come to.
 *
 * <p>Each wake reads one page, and the next wake the next one: the cost does not grow with the
 * number of SKUs. Orders are booked without knowing of watermarks.
 */
final class WatermarkWatch {
  static final int PAGE_MAX = 500;

  private final Ledger ledger;
  private final int partition;
  private final Crossing crossing;
  private final Runnable wakeEvents;
  private final BackgroundTask task;
  private long afterSkuId;

  /** Crosses what the page behind a SKU has passed; fails if it may not. */
  private interface Crossing {
    Future<Void> cross(long afterSkuId);
  }

  /**
   * @param wakeEvents called once there are new events
   */
  WatermarkWatch(OwnerContext context, Runnable wakeEvents) {
    this(
        context.ledger(),
        context.ownership().partition(),
        after -> cross(context, after),
        context.tasks(),
        wakeEvents);
  }

  /** Of the SKUs that sell in the ledger alone. */
  WatermarkWatch(Ledger ledger, DirectLedger direct, BackgroundTasks tasks) {
    this(ledger, Placement.DIRECT, after -> direct.crossMarks(after, PAGE_MAX), tasks, () -> {});
  }

  private WatermarkWatch(
      Ledger ledger, int partition, Crossing crossing, BackgroundTasks tasks, Runnable wakeEvents) {
    this.ledger = ledger;
    this.partition = partition;
    this.crossing = crossing;
    this.wakeEvents = wakeEvents;
    this.task = tasks.make(partition == Placement.DIRECT ? "direct marks" : "marks", this::step);
  }

  private static Future<Void> cross(OwnerContext context, long after) {
    Ownership ownership = context.ownership();
    return context
        .ledger()
        .crossMarks(ownership.fence(), after, PAGE_MAX)
        .compose(ownership::expectHeld);
  }

  /** Looks at the next page. */
  void wake() {
    task.wake();
  }

  private Future<Boolean> step() {
    long after = afterSkuId;
    return ledger
        .markedStocks(partition, after, PAGE_MAX)
        .compose(page -> MarkCrossings.ofAll(page).isEmpty() ? passed(page) : cross(after, page))
        .map(false);
  }

  private Future<Void> cross(long after, List<MarkedStock> page) {
    return crossing
        .cross(after)
        .compose(crossed -> passed(page))
        .onSuccess(done -> wakeEvents.run());
  }

  /** Only then is the next page due: one that failed is looked at again. */
  private Future<Void> passed(List<MarkedStock> page) {
    afterSkuId = page.size() < PAGE_MAX ? 0 : page.get(page.size() - 1).skuId();
    return Future.succeededFuture();
  }
}
