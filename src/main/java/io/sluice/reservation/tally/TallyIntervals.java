package io.sluice.reservation.tally;

import io.sluice.ledger.History.Counts;
import io.sluice.ledger.History.Interval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts the time of each sale into intervals: of 10 s in its first hour, of a minute in the five
 * after it, then of ten minutes. An hour in which nothing happens ends that. So a sale of any
 * length has few rows, and more of them when it matters. Used by one context only.
 */
final class TallyIntervals {
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

  TallyIntervals(SaleTallies tallies, String instanceId) {
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
