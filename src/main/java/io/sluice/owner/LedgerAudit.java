package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.async.LoopContext.Timers;
import io.sluice.ledger.Audit;
import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.SkuState;
import io.sluice.stock.StockStore.Stamp;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Compares the counters of SKUs with the append-only rows that they are derived from;
 * docs/design-owner.md section 8. If the two disagree, which cannot happen, the SKU is frozen with
 * an alarm.
 *
 * <p>A SKU is audited by the owner of its first bucket; each step reads a page of buckets. A SKU
 * with more than {@link #ROWS_MAX} rows is summed in slices of that size, one per step with a pause
 * in between. The pause is longer in a stampede: all owners sum at the same time, and a slice costs
 * the database some 15 ms. A slice that fails is read again. Rows that disagree are summed a second
 * time before the SKU is frozen. If the ledger is restored to an earlier state in the meantime,
 * rows are missing between two slices, and this owner soon loses its fence.
 *
 * <p>A SKU of one bucket that agreed is not audited again while Redis writes nothing and its row
 * stays the same, since no order comes or ends then. One of each page is, in turn.
 */
final class LedgerAudit {
  static final int PAGE_MAX = 10;
  static final int ROWS_MAX = 20_000;
  static final Duration REST = Duration.ofSeconds(1);

  /** The maximum number of pauses between two slices while booking pauses as well. */
  static final int RESTS_MAX = 10;

  private final Ledger ledger;
  private final int partition;
  private final StampedePause pause;
  private final BackgroundTask task;
  private final Supplier<Stamp> stamp;
  private final FoundInOrder agreed = new FoundInOrder();
  private final Queue<Large> large = new ArrayDeque<>();
  private Optional<BucketId> after = Optional.empty();
  private int passes;
  private boolean isAsked;

  /**
   * @param bookingRests whether booking pauses
   * @param stamp of Redis, read a moment ago
   */
  LedgerAudit(OwnerContext context, BooleanSupplier bookingRests, Supplier<Stamp> stamp) {
    this(
        context.ledger(),
        context.ownership().partition(),
        context.tasks(),
        context.timers(),
        bookingRests,
        stamp);
  }

  /** Of the SKUs that sell in the ledger alone. */
  LedgerAudit(Ledger ledger, BackgroundTasks tasks, Timers timers) {
    this(ledger, Placement.DIRECT, tasks, timers, () -> false, () -> Stamp.UNKNOWN);
  }

  private LedgerAudit(
      Ledger ledger,
      int partition,
      BackgroundTasks tasks,
      Timers timers,
      BooleanSupplier bookingRests,
      Supplier<Stamp> stamp) {
    this.stamp = stamp;
    this.ledger = ledger;
    this.partition = partition;
    this.task = tasks.make(partition == Placement.DIRECT ? "direct audit" : "audit", this::step);
    this.pause = new StampedePause(timers, REST, RESTS_MAX, bookingRests, task::wake);
  }

  /** Starts the next page, or the next slice of a large SKU. */
  void wake() {
    task.wake();
  }

  /** Like {@link #wake}; all SKUs of the page are audited. */
  void now() {
    isAsked = true;
    task.wake();
  }

  private Future<Boolean> step() {
    if (pause.isResting()) {
      return Future.succeededFuture(false);
    }
    Large first = large.peek();
    return (first == null ? page() : slice(first)).onSuccess(done -> rest()).map(false);
  }

  private void rest() {
    if (!large.isEmpty()) {
      pause.begin();
    }
  }

  private Future<Void> page() {
    agreed.at(isAsked ? Stamp.UNKNOWN : stamp.get());
    isAsked = false;
    return ledger
        .buckets(partition, after, PAGE_MAX)
        .compose(
            rows -> {
              boolean full = rows.size() == PAGE_MAX;
              after = full ? Optional.of(rows.get(rows.size() - 1).id()) : Optional.empty();
              passes += full ? 0 : 1;
              return auditAll(rows);
            });
  }

  private Future<Void> auditAll(List<BucketRow> rows) {
    return AsyncLoop.forEach(
        rows.stream()
            .filter(row -> row.id().bucket() == 0 && row.state() != SkuState.FROZEN)
            .filter(row -> row.equals(rows.get(passes % rows.size())) || !agreed.has(row))
            .toList(),
        this::audit);
  }

  /**
   * Only if a SKU has one bucket does its row show whether anything has changed. The rows of other
   * buckets are on other partitions, and payments are nothing that Redis writes.
   */
  private static boolean isShownByRow(Audit audit) {
    return audit.buckets() == 1 && audit.agrees();
  }

  private Future<Void> audit(BucketRow row) {
    long skuId = row.id().skuId();
    return ledger
        .audit(skuId, ROWS_MAX)
        .compose(
            audit -> {
              if (audit.filter(LedgerAudit::isShownByRow).isPresent()) {
                agreed.add(row);
              }
              if (audit.isEmpty()) {
                large.add(new Large(skuId));
              }
              return audit.isEmpty() || audit.get().agrees()
                  ? Future.succeededFuture()
                  : freeze(audit.get());
            });
  }

  /** A SKU with many rows, and the sums so far. */
  private static final class Large {
    private final long skuId;
    private Optional<Mark> mark = Optional.empty();
    private TxnSums sums = TxnSums.NONE;
    private boolean disagreed;

    Large(long skuId) {
      this.skuId = skuId;
    }

    void sumAgain() {
      disagreed = true;
      begin();
    }

    void begin() {
      mark = Optional.empty();
      sums = TxnSums.NONE;
    }
  }

  private Future<Void> slice(Large sku) {
    return sku.mark.isPresent() ? sum(sku, sku.mark.get()) : mark(sku);
  }

  private Future<Void> mark(Large sku) {
    return ledger
        .mark(sku.skuId)
        .onSuccess(
            mark -> {
              sku.mark = mark;
              if (mark.isEmpty()) {
                large.remove();
              }
            })
        .mapEmpty();
  }

  private Future<Void> sum(Large sku, Mark mark) {
    return ledger
        .sum(mark, sku.sums, ROWS_MAX)
        .compose(
            sums -> {
              if (sums.equals(TxnSums.NONE)) {
                sku.begin();
                return Future.succeededFuture();
              }
              sku.sums = sums;
              return sums.complete() ? judge(sku, mark.against(sums)) : Future.succeededFuture();
            });
  }

  private Future<Void> judge(Large sku, Audit audit) {
    if (!audit.agrees() && !sku.disagreed) {
      sku.sumAgain();
      return Future.succeededFuture();
    }
    return (audit.agrees() ? Future.<Void>succeededFuture() : freeze(audit))
        .onSuccess(judged -> large.remove());
  }

  private Future<Void> freeze(Audit audit) {
    return ledger.freezeSku(
        audit.skuId(),
        "Expected the counters to be total %d, held %d, sold %d as the rows say, but they are %d, %d, %d"
            .formatted(
                audit.total(),
                audit.held(),
                audit.sold(),
                audit.countersTotal(),
                audit.countersHeld(),
                audit.countersSold()));
  }
}
