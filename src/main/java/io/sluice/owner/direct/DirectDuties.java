package io.sluice.owner.direct;

import io.sluice.async.BackgroundTask;
import io.sluice.async.Timers;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.model.Placement;
import io.sluice.owner.outbox.MarkWatch;
import io.sluice.owner.outbox.OutboxRelays;
import io.sluice.owner.reconcile.LedgerAudit;
import io.sluice.owner.timeout.DirectTimeouts;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * The duties that SKUs have which sell in the ledger alone, whether or not there is an order log.
 */
public final class DirectDuties {
  /** Numbered events can be read this long. */
  static final Duration EVENTS_KEPT = Duration.ofDays(7);

  static final int PURGE_MAX = 2_000;

  private final BackgroundTask timeouts;
  private final BackgroundTask ends;
  private final MarkWatch marks;
  private final LedgerAudit audit;
  private final BackgroundTask purge;

  /**
   * @param timeoutsEvery the interval at which {@link #scanTimeouts} is called
   * @param endAfter the time from a SKU's closes_at to its end; zero if it does not end by itself
   */
  public DirectDuties(
      Ledger ledger,
      DirectLedger direct,
      BackgroundTask.Maker tasks,
      Timers timers,
      Duration timeoutsEvery,
      Duration endAfter) {
    this.timeouts =
        tasks.make("direct timeouts", new DirectTimeouts(ledger, direct, timeoutsEvery)::step);
    this.ends = tasks.make("direct ends", new DirectEnds(ledger, direct, endAfter)::step);
    this.marks = new MarkWatch(ledger, direct, tasks);
    this.audit = new LedgerAudit(ledger, tasks, timers);
    this.purge = tasks.make("direct purge", () -> purge(ledger, direct));
  }

  private static Future<Boolean> purge(Ledger ledger, DirectLedger direct) {
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

  /** Called by a timer: cancels orders that were not paid in time. */
  public void scanTimeouts() {
    timeouts.wake();
  }

  /** Called by a timer: looks for what is to end, and for stocks that have crossed a watermark. */
  public void watch() {
    ends.wake();
    marks.wake();
  }

  /** Called by a timer: compares counters with rows. */
  public void audit() {
    audit.wake();
  }

  /**
   * Called by a timer: deletes outbox rows that were sent long ago, and old numbered events, also
   * those of before there was an order log.
   */
  public void purge() {
    purge.wake();
  }

  /** Completes when nothing of it is in flight. */
  public Future<Void> stop() {
    return Future.join(
            List.of(timeouts.stop(), ends.stop(), marks.stop(), audit.stop(), purge.stop()))
        .mapEmpty();
  }
}
