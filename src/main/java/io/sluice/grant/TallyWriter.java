package io.sluice.grant;

import io.sluice.async.BackgroundTask;
import io.sluice.async.TimeLimit;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Counts;
import io.sluice.ledger.History.Incident;
import io.sluice.ledger.History.Interval;
import io.sluice.ledger.UnprocessableException;
import io.sluice.monitor.Alarm;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes to the ledger what was counted, and deletes what is old. Counts that cannot be written now
 * are written later, up to a limit beyond which the oldest are lost. All of it on one context.
 */
public final class TallyWriter {
  /** How often {@link #tick} is called. */
  public static final Duration TICK = Intervals.SHORT;

  /** How many rows of each kind wait for a ledger that is away. */
  static final int WAITING_MAX = 2_000;

  private static final int FORGET_EVERY = 360;
  private static final int CLOSE_MS = 500;

  private final History ledger;
  private final Intervals intervals;
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
    this.intervals = new Intervals(tallies, instanceId);
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

  /**
   * Cuts the time of each sale into intervals: of 10 s in its first hour, of a minute in the five
   * after it, then of ten minutes. An hour in which nothing happens ends that. So a sale of any
   * length has few rows, and more of them when it matters. Used by one context only.
   */
  static final class Intervals {
    static final Duration SHORT = Duration.ofSeconds(10);
    private static final Duration MIDDLE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT_FOR = Duration.ofHours(1);
    private static final Duration MIDDLE_FOR = Duration.ofHours(6);
    private static final Duration SILENT_FOR = Duration.ofHours(1);

    private final SaleTallies tallies;
    private final String instanceId;
    private final Map<String, Span> spans = new HashMap<>();

    /** Since when a sale is counted, and since when in this interval. */
    private static final class Span {
      final long sinceMs;
      long beganMs;
      long countedMs;

      Span(long nowMs) {
        sinceMs = nowMs;
        beganMs = nowMs - SHORT.toMillis();
        countedMs = nowMs;
      }

      boolean isOver(long nowMs) {
        long age = nowMs - sinceMs;
        Duration length =
            age < SHORT_FOR.toMillis() ? SHORT : age < MIDDLE_FOR.toMillis() ? MIDDLE : LONG;
        // The timer is not exact, and a clock that was put back must not stop this.
        return nowMs < beganMs || nowMs - beganMs >= length.toMillis() - SHORT.toMillis() / 2;
      }
    }

    Intervals(SaleTallies tallies, String instanceId) {
      this.tallies = tallies;
      this.instanceId = instanceId;
    }

    /**
     * The intervals that are over.
     *
     * @param all those that are not over, too
     */
    List<Interval> take(long nowMs, boolean all) {
      List<Interval> over = new ArrayList<>();
      List<String> silent = new ArrayList<>();
      tallies
          .all()
          .forEach(
              (saleId, tally) -> {
                Span span = spans.computeIfAbsent(saleId, first -> new Span(nowMs));
                if (!all && !span.isOver(nowMs)) {
                  return;
                }
                Counts counts = tally.take();
                if (!counts.isEmpty()) {
                  long lengthMs = Math.max(1, nowMs - span.beganMs);
                  over.add(new Interval(saleId, span.beganMs, instanceId, lengthMs, counts));
                  span.countedMs = nowMs;
                } else if (nowMs - span.countedMs >= SILENT_FOR.toMillis()) {
                  silent.add(saleId);
                }
                span.beganMs = nowMs;
              });
      silent.forEach(
          saleId -> {
            spans.remove(saleId);
            tallies.drop(saleId);
          });
      return over;
    }
  }

  /**
   * The alarms of this process as incidents: the first time at once, and then at most one a minute
   * of each, with how often it was raised. Used by one context only.
   */
  static final class RaisedAlarms {
    private static final Duration APART = Duration.ofMinutes(1);

    private final String instanceId;
    private final Map<Alarm, Seen> seen = new EnumMap<>(Alarm.class);

    /** How often an alarm was raised, and how much of it was reported. */
    private static final class Seen {
      long told;
      long toldMs;
      long counted;
      long firstMs;
      long lastMs;
    }

    /** An instance that has just started has all its alarms before it. */
    RaisedAlarms(String instanceId) {
      this.instanceId = instanceId;
    }

    /**
     * The part to be reported now.
     *
     * @param all also the part that would have to wait
     */
    List<Incident> take(long nowMs, boolean all) {
      List<Incident> incidents = new ArrayList<>();
      for (Alarm alarm : Alarm.values()) {
        long raised = alarm.raised();
        if (raised == 0) {
          continue;
        }
        Seen one = seen.computeIfAbsent(alarm, first -> new Seen());
        if (raised > one.counted) {
          if (one.counted == one.told) {
            one.firstMs = nowMs;
          }
          one.lastMs = nowMs;
          one.counted = raised;
        }
        long apart = nowMs - one.toldMs;
        if (one.counted > one.told && (all || apart < 0 || apart >= APART.toMillis())) {
          long times = one.counted - one.told;
          incidents.add(
              new Incident(one.firstMs, instanceId, alarm.word(), one.lastMs, times, alarm.text()));
          one.told = one.counted;
          one.toldMs = nowMs;
        }
      }
      return incidents;
    }
  }
}
