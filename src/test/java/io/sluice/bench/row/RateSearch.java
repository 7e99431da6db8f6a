package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import java.util.function.IntPredicate;

/** The highest rate that is held, found by attempts; each is told a rate, in events a second. */
final class RateSearch {
  /** Between two neighbouring rates of {@link #fine}. */
  static final double STEP = 1.1;

  /** {@link #coarse} ends where the next rate is at most this many times as high. */
  static final double COARSE = 1.25;

  private static final int ATTEMPTS_MAX = 14;

  private RateSearch() {}

  /** Doubles or halves until the answer lies between two rates, then goes half-way. */
  static int coarse(int from, IntPredicate attempt) {
    int held = 0;
    int notHeld = Integer.MAX_VALUE;
    int rate = from;
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      if (attempt.test(rate)) {
        held = rate;
      } else {
        notHeld = rate;
      }
      if (held > 0 && notHeld <= COARSE * held) {
        return held;
      }
      rate = between(held, notHeld);
    }
    return orNone(held);
  }

  private static int between(int held, int notHeld) {
    if (held == 0) {
      return orNone(notHeld / 2);
    }
    return notHeld == Integer.MAX_VALUE
        ? held * 2
        : (int) Math.round(Math.sqrt((double) held * notHeld));
  }

  /** Goes up in steps while the rate is held, or down until it is. */
  static int fine(int from, IntPredicate attempt) {
    boolean isUp = attempt.test(from);
    int rate = from;
    for (int i = 0; i < ATTEMPTS_MAX; i++) {
      int next = orNone((int) Math.round(isUp ? rate * STEP : rate / STEP));
      boolean isHeld = attempt.test(next);
      if (isHeld != isUp) {
        return isHeld ? next : rate;
      }
      rate = next;
    }
    return orNone(isUp ? rate : 0);
  }

  private static int orNone(int rate) {
    if (rate == 0) {
      throw new BenchException("Expected some rate to be held, but none was");
    }
    return rate;
  }
}
