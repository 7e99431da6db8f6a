package io.sluice.tracing.otlp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** So many a second, and not more. Thread-safe; allocates nothing. */
final class SecondBudget {
  private static final long NANOS_PER_S = 1_000_000_000;
  private static final int COUNT_BITS = 24;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final int perSecond;
  private final LongSupplier nanoTime;
  private final long startNanos;

  /** The second, counted from the start, and below it how many were taken in it. */
  private final AtomicLong taken = new AtomicLong();

  /**
   * @param perSecond less than 2^24
   */
  SecondBudget(int perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /** Takes one, if there is one left in this second. */
  boolean take() {
    long second = (nanoTime.getAsLong() - startNanos) / NANOS_PER_S;
    while (true) {
      long before = taken.get();
      long count = before >>> COUNT_BITS == second ? before & COUNT_MASK : 0;
      if (count >= perSecond) {
        return false;
      }
      if (taken.compareAndSet(before, second << COUNT_BITS | (count + 1))) {
        return true;
      }
    }
  }
}
