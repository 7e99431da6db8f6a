package io.sluice.grant;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How many grants may be in progress on one event loop. A burst may fill all places. If even the
 * fastest answer of an interval took longer than {@link #TARGET}, more arrives than can be granted.
 * So it does if the newest request would wait for {@link #PATIENCE} of them at the rate of the
 * answers. A new request would wait for all before it, and is better refused and repeated. The
 * limit falls to what is answered within {@link #TARGET}, and rises again once answers are faster.
 * This is the rule of CoDel, RFC 8289: a queue is bad if it stands, not if it is long. It is lifted
 * once nothing is in progress and none was refused for {@link #CALM}. Used by one event loop only.
 */
final class GrantQueue {
  static final Duration TARGET = Duration.ofMillis(100);
  static final Duration INTERVAL = Duration.ofMillis(100);

  /** How many times {@link #TARGET} the newest request may have to wait. */
  static final int PATIENCE = 2;

  /** As long as refused callers wait before they repeat: their crowd is gone, or it is back. */
  static final Duration CALM = Duration.ofSeconds(1);

  /** No limit below this; a store may be slow while there is no queue. */
  static final int LEAST = 500;

  private static final int GROWTH_PART = 4;

  /** So few answers tell no rate. */
  private static final int ANSWERS_LEAST = 100;

  private final int max;
  private final int least;
  private final LongSupplier nanoTime;
  private int limit;
  private int inProgress;
  private long intervalStartNanos;
  private long fastestNanos = Long.MAX_VALUE;
  private int answered;
  private long refusedNanos;

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
    this.refusedNanos = intervalStartNanos - CALM.toNanos();
  }

  /** Whether there is a place for one more; if there is none, the request is refused. */
  boolean hasRoom() {
    if (inProgress < limit) {
      return true;
    }
    refusedNanos = nanoTime.getAsLong();
    return false;
  }

  /**
   * Takes a place.
   *
   * @return the time, for {@link #leave}
   */
  long enter() {
    long now = nanoTime.getAsLong();
    if (inProgress++ == 0 && now - refusedNanos >= CALM.toNanos()) {
      limit = max;
    }
    return now;
  }

  /** Gives the place back: the grant is answered. */
  void leave(long enteredNanos) {
    inProgress--;
    answered++;
    long now = nanoTime.getAsLong();
    fastestNanos = Math.min(fastestNanos, now - enteredNanos);
    long elapsed = now - intervalStartNanos;
    if (elapsed >= INTERVAL.toNanos()) {
      limit = inProgress > least && stands(elapsed) ? limitOf(elapsed) : grown();
      intervalStartNanos = now;
      fastestNanos = Long.MAX_VALUE;
      answered = 0;
    }
  }

  private boolean stands(long elapsedNanos) {
    return fastestNanos > TARGET.toNanos()
        || (answered >= ANSWERS_LEAST
            && inProgress * elapsedNanos > PATIENCE * TARGET.toNanos() * answered);
  }

  private int limitOf(long elapsedNanos) {
    long withinTarget = answered * TARGET.toNanos() / elapsedNanos;
    return (int) Math.max(least, Math.min(limit, withinTarget));
  }

  private int grown() {
    return Math.min(max, limit + limit / GROWTH_PART + 1);
  }
}
