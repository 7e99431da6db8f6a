package io.sluice.admin.report;

import io.sluice.ledger.History.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Orders by interval and by what happened to them. The interval grows with the time that it covers,
 * so that there are never more than {@link #POINTS_MAX}.
 */
final class Timeline {
  static final int POINTS_MAX = 240;
  private static final List<Long> INTERVALS_S =
      List.of(
          1L, 2L, 5L, 10L, 15L, 30L, 60L, 120L, 300L, 600L, 900L, 1_800L, 3_600L, 7_200L, 10_800L,
          21_600L, 43_200L, 86_400L);
  private static final int MS_PER_S = 1_000;

  private NavigableMap<Long, long[]> orders = new TreeMap<>();
  private long intervalMs = INTERVALS_S.get(0) * MS_PER_S;

  /**
   * An interval.
   *
   * @param orders by {@link Kind}
   */
  record Point(long atMs, List<Long> orders) {
    long of(Kind kind) {
      return orders.get(kind.ordinal());
    }
  }

  /** The interval now; a part that is added may have a shorter one that divides it. */
  long intervalMs() {
    return intervalMs;
  }

  void add(Kind kind, long atMs, long count) {
    slot(orders, atMs)[kind.ordinal()] += count;
    while (points() > POINTS_MAX) {
      widen();
    }
  }

  private long[] slot(NavigableMap<Long, long[]> in, long atMs) {
    return in.computeIfAbsent(atMs - atMs % intervalMs, begin -> new long[Kind.values().length]);
  }

  private long points() {
    return (orders.lastKey() - orders.firstKey()) / intervalMs + 1;
  }

  private void widen() {
    intervalMs = next(intervalMs);
    NavigableMap<Long, long[]> merged = new TreeMap<>();
    orders.forEach(
        (atMs, counts) -> {
          long[] slot = slot(merged, atMs);
          for (int i = 0; i < counts.length; i++) {
            slot[i] += counts[i];
          }
        });
    orders = merged;
  }

  /** The next longer interval. */
  static long next(long ms) {
    return INTERVALS_S.stream()
        .map(s -> s * MS_PER_S)
        .filter(longer -> longer > ms)
        .findFirst()
        .orElse(ms * 2);
  }

  boolean isEmpty() {
    return orders.isEmpty();
  }

  long fromMs() {
    return orders.isEmpty() ? 0 : orders.firstKey();
  }

  /** The end of the last interval. */
  long untilMs() {
    return orders.isEmpty() ? 0 : orders.lastKey() + intervalMs;
  }

  /** The intervals in which anything happened. */
  List<Point> toPoints() {
    List<Point> points = new ArrayList<>();
    orders.forEach(
        (atMs, counts) -> {
          List<Long> boxed = new ArrayList<>();
          for (long count : counts) {
            boxed.add(count);
          }
          points.add(new Point(atMs, List.copyOf(boxed)));
        });
    return points;
  }
}
