package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.async.LoopContext.Timers;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The duties that SKUs have which sell in the ledger alone, whether or not there is an order log.
 */
final class DirectDuties {
  /** Numbered events can be read this long. */
  static final Duration EVENTS_KEPT = Duration.ofDays(7);

  static final Duration WATCH_EVERY = Duration.ofSeconds(1);
  static final Duration PURGE_EVERY = Duration.ofSeconds(10);
  static final int PURGE_MAX = 2_000;

  /** Time-outs in one transaction. */
  static final int CANCELS_MAX = 500;

  static final int PAGE_MAX = 1_000;

  /** How many buyers one transaction forgets. */
  static final int BUYERS_MAX = 2_000;

  private final Ledger ledger;
  private final DirectLedger direct;
  private final long endAfterMs;
  private final Duration timeoutsEvery;
  private final DueScan due;
  private final Outages outages;
  private final BackgroundTask timeouts;
  private final BackgroundTask ends;
  private final WatermarkWatch marks;
  private final LedgerAudit audit;
  private final BackgroundTask notes;
  private final BackgroundTask purge;

  /** The last bucket of the page that was looked at last, for what is to end. */
  private Optional<BucketId> after = Optional.empty();

  /**
   * @param timeoutsEvery the interval at which overdue orders are looked for
   * @param endAfter the time from a SKU's closes_at to its end; zero if it does not end by itself
   */
  DirectDuties(
      Ledger ledger,
      DirectLedger direct,
      BackgroundTasks tasks,
      Timers timers,
      Duration timeoutsEvery,
      Duration endAfter) {
    this.ledger = ledger;
    this.direct = direct;
    this.endAfterMs = endAfter.toMillis();
    this.timeoutsEvery = timeoutsEvery;
    this.due = new DueScan(ledger, Placement.DIRECT, this::cancel);
    this.outages = new Outages(ledger, direct, due, timeoutsEvery);
    this.timeouts = tasks.make("direct timeouts", this::scanTimeouts);
    this.ends = tasks.make("direct ends", this::lookForEnds);
    this.marks = new WatermarkWatch(ledger, direct, tasks);
    this.audit = new LedgerAudit(ledger, tasks, timers);
    this.notes = tasks.make("direct look-ups", () -> ledger.noteSent(Placement.DIRECT));
    this.purge = tasks.make("direct purge", this::purgeOnce);
  }

  /**
   * Cancels orders that were not paid in time, a page of them; true if more is due at once. Any
   * number of instances may: the lock of a bucket decides which of them ends an order, and the
   * others find it ended.
   *
   * <p>While the ledger is away nobody can pay. The time at which one of these instances could last
   * read it is stored; a gap extends the deadlines by its length, once.
   */
  private Future<Boolean> scanTimeouts() {
    return ledger
        .nowMs()
        .compose(outages::read)
        .onFailure(away -> outages.away())
        .compose(now -> due.step(now, page -> {}, page -> {}));
  }

  private Future<Void> cancel(List<OrderToken> tokens) {
    return AsyncLoop.forEach(
        AsyncLoop.parts(tokens, CANCELS_MAX), some -> direct.apply(DueScan.cancel(some)));
  }

  /**
   * Ends buckets that are ENDING, once nothing of them is held, and begins to end SKUs that were
   * closed long ago. Each step looks at one page, around and around, so that the cost does not grow
   * with the number of SKUs.
   */
  private Future<Boolean> lookForEnds() {
    return ledger
        .nowMs()
        .compose(
            nowMs ->
                ledger
                    .buckets(Placement.DIRECT, after, PAGE_MAX)
                    .compose(
                        page ->
                            AsyncLoop.forEach(page, row -> lookForEnd(row, nowMs))
                                .onSuccess(looked -> after = EndWatch.lastOf(page, PAGE_MAX))))
        .map(false);
  }

  private Future<Void> lookForEnd(BucketRow row, long nowMs) {
    return row.state() == SkuState.ENDING && row.held() == 0
        ? AsyncLoop.whileTrue(() -> direct.endBucket(row.id(), BUYERS_MAX))
        : EndWatch.endIfClosed(ledger, row, endAfterMs, nowMs);
  }

  /**
   * Deletes outbox rows that were sent long ago, and old numbered events, also those of before
   * there was an order log.
   */
  private Future<Boolean> purgeOnce() {
    return ledger
        .nowMs()
        .compose(
            nowMs ->
                ledger.purge(
                    Placement.DIRECT, nowMs - OutboxRelays.KEEP_SENT.toMillis(), PURGE_MAX))
        .compose(
            rows ->
                direct
                    .purgeEvents(EVENTS_KEPT.toMillis(), PURGE_MAX)
                    .map(events -> rows == PURGE_MAX || events == PURGE_MAX));
  }

  /**
   * Sets the timers.
   *
   * @param auditEvery the interval at which counters are compared with rows
   */
  void start(Vertx vertx, Duration auditEvery) {
    every(vertx, timeoutsEvery, timeouts::wake);
    every(vertx, WATCH_EVERY, ends::wake);
    every(vertx, WATCH_EVERY, marks::wake);
    every(vertx, auditEvery, audit::wake);
    every(vertx, WATCH_EVERY, notes::wake);
    every(vertx, PURGE_EVERY, purge::wake);
  }

  private static void every(Vertx vertx, Duration period, Runnable duty) {
    vertx.setPeriodic(period.toMillis(), id -> duty.run());
  }
}
