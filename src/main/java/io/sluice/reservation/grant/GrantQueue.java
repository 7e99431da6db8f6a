package io.sluice.reservation.grant;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many grants may be in progress on one event loop. A burst may fill all places. Where even the
 * fastest answer of an interval took longer than {@link #TARGET}, more arrives than can be granted:
 * a new request would wait for all before it, and is better refused and repeated. The limit falls
 * to what is answered within {@link #TARGET}, rises again once answers are faster (the rule of
 * CoDel, RFC 8289: a queue is bad if it stands, not if it is long), and is lifted once nothing is
 * in progress. Used by one event loop only.
 */
final class GrantQueue {
  static final Duration TARGET = Duration.ofMillis(150);
  static final Duration INTERVAL = Duration.ofMillis(100);

  /** No limit below this; a store may be slow while there is no queue. */
  static final int LEAST = 1_000;

  private static final int GROWTH_PART = 4;

  private final int max;
  private final int least;
  private final LongSupplier nanoTime;
  private int limit;
  private int inProgress;
  private long intervalStartNanos;
  private long fastestNanos = Long.MAX_VALUE;
  private int answered;

  /**
   * @param max all places, at least 1
   * @param nanoTime a monotonic clock
   */
  GrantQueue(int max, LongSupplier nanoTime) {
    this.max = max;
    this.least = Math.min(max, LEAST);
    this.nanoTime = nanoTime;
    this.limit = max;
    this.intervalStartNanos = nanoTime.getAsLong();
  }

  /** Whether there is a place for one more. */
  boolean hasRoom() {
    return inProgress < limit;
  }

  /**
   * Takes a place.
   *
   * @return the time, for {@link #leave}
   */
  long enter() {
    if (inProgress++ == 0) {
      limit = max;
    }
    return nanoTime.getAsLong();
  }

  /** Gives the place back: the grant is answered. */
  void leave(long enteredNanos) {
    inProgress--;
    answered++;
    long now = nanoTime.getAsLong();
    fastestNanos = Math.min(fastestNanos, now - enteredNanos);
    long elapsed = now - intervalStartNanos;
    if (elapsed >= INTERVAL.toNanos()) {
      boolean stands = inProgress > least && fastestNanos > TARGET.toNanos();
      limit = stands ? limitOf(elapsed) : grown();
      intervalStartNanos = now;
      fastestNanos = Long.MAX_VALUE;
      answered = 0;
    }
  }

  private int limitOf(long elapsedNanos) {
    long withinTarget = answered * TARGET.toNanos() / elapsedNanos;
    return (int) Math.max(least, Math.min(limit, withinTarget));
  }

  private int grown() {
    return Math.min(max, limit + limit / GROWTH_PART + 1);
  }
}
