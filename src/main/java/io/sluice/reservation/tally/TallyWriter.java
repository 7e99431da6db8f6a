package io.sluice.reservation.tally;

import io.sluice.async.BackgroundTask;
import io.sluice.async.TimeLimit;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Interval;
import io.sluice.ledger.UnprocessableException;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes to the ledger what was counted, and deletes what is old. Counts that cannot be written now
 * are written later, up to a limit beyond which the oldest are lost. All of it on one context.
 */
public final class TallyWriter {
  /** How often {@link #tick} is called. */
  public static final Duration TICK = TallyIntervals.SHORT;

  /** How many rows of each kind wait for a ledger that is away. */
  static final int WAITING_MAX = 2_000;

  private static final int FORGET_EVERY = 360;
  private static final int CLOSE_MS = 500;

  private final History ledger;
  private final TallyIntervals intervals;
  private final RaisedAlarms alarms;
  private final InstantSource clock;
  private final BackgroundTask task = new BackgroundTask("sale counts", this::writeSome);
  private final Deque<Interval> waiting = new ArrayDeque<>();
  private final Deque<Incident> incidents = new ArrayDeque<>();
  private int ticks;
  private boolean forgets = true;

  /**
   * @param instanceId by which the ledger knows this instance
   */
  public TallyWriter(History ledger, SaleTallies tallies, String instanceId, InstantSource clock) {
    this.ledger = ledger;
    this.intervals = new TallyIntervals(tallies, instanceId);
    this.alarms = new RaisedAlarms(instanceId);
    this.clock = clock;
  }

  /** Collects what was counted, and begins to write it. */
  public void tick() {
    collect(false);
    forgets |= ++ticks % FORGET_EVERY == 0;
    task.wake();
  }

  private void collect(boolean all) {
    long nowMs = clock.millis();
    waiting.addAll(intervals.take(nowMs, all));
    incidents.addAll(alarms.take(nowMs, all));
    while (waiting.size() > WAITING_MAX) {
      waiting.removeFirst();
    }
    while (incidents.size() > WAITING_MAX) {
      incidents.removeFirst();
    }
  }

  /**
   * Whether there is more. A row whose write had no answer is written again, and stays as it is.
   */
  private Future<Boolean> writeSome() {
    if (!incidents.isEmpty()) {
      return write(incidents, ledger::keepIncidents).map(true);
    }
    if (!waiting.isEmpty()) {
      return write(waiting, ledger::keep).map(true);
    }
    return forgets ? forgetSome() : Future.succeededFuture(false);
  }

  /** Rows that the ledger can never take are lost, rather than delaying all behind them. */
  private static <T> Future<Void> write(Deque<T> rows, Function<List<T>, Future<Void>> writing) {
    List<T> some = rows.stream().limit(History.ROWS_MAX).toList();
    if (some.isEmpty()) {
      return Future.succeededFuture();
    }
    return writing
        .apply(some)
        .recover(
            cause ->
                cause instanceof UnprocessableException
                    ? Future.succeededFuture()
                    : Future.failedFuture(cause))
        .onSuccess(written -> rows.removeAll(Set.copyOf(some)));
  }

  private Future<Boolean> forgetSome() {
    return ledger
        .forget(clock.millis() - Duration.ofDays(History.KEPT_DAYS).toMillis())
        .map(
            all -> {
              forgets = !all;
              return forgets;
            });
  }

  /** Writes what is left, if that is quick. */
  public Future<Void> close() {
    collect(true);
    Future<Void> last =
        task.stop()
            .compose(stopped -> write(incidents, ledger::keepIncidents))
            .compose(told -> write(waiting, ledger::keep));
    return TimeLimit.of(CLOSE_MS, last).transform(ended -> Future.succeededFuture());
  }
}
