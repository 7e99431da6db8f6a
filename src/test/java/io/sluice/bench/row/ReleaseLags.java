package io.sluice.bench.row;

import java.util.Arrays;

/**
 * How long after its deadline each unit was on sale again. Units are alike, so the first that is
 * back counts as the first that was due.
 */
final class ReleaseLags {
  private final long[] dueMs;
  private final long[] lagsMs;
  private int back;

  /**
   * @param dueMs the deadlines, one for each unit
   */
  ReleaseLags(long[] dueMs) {
    this.dueMs = dueMs.clone();
    Arrays.sort(this.dueMs);
    this.lagsMs = new long[dueMs.length];
  }

  /** So many units are back by now, those of before included. */
  void seen(long units, long nowMs) {
    while (back < Math.min(units, dueMs.length)) {
      lagsMs[back] = nowMs - dueMs[back];
      back++;
    }
  }

  boolean isComplete() {
    return back == dueMs.length;
  }

  /** This part of the units was back within so many milliseconds; 1: all of them. */
  double ms(double part) {
    long[] sorted = Arrays.copyOf(lagsMs, back);
    Arrays.sort(sorted);
    return sorted[(int) Math.max(0, Math.ceil(part * back) - 1)];
  }
}
