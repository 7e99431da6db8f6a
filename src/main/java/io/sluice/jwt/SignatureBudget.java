package io.sluice.jwt;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds the time that wrong signatures take: a share of one core, with bursts. Tokens are free to
 * invent. Without a bound a caller who invents enough of them would stop all event loops, also for
 * callers who are known. Shared by all event loops.
 */
final class SignatureBudget {
  /** The amount that may be used up at once. */
  static final Duration BURST = Duration.ofMillis(300);

  /** The amount that is given back per second. */
  private static final double SHARE = 0.3;

  /** More than any signature takes; a pause of the machine is not the caller's doing. */
  private static final Duration SIGNATURE_MAX = Duration.ofMillis(5);

  private final LongSupplier nanoTime;

  /** Guarded by this, like the next. */
  private double usedNanos;

  private long asOfNanos;

  SignatureBudget(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.asOfNanos = nanoTime.getAsLong();
  }

  long now() {
    return nanoTime.getAsLong();
  }

  synchronized boolean isSpent() {
    giveBack(now());
    return usedNanos >= BURST.toNanos();
  }

  /** A signature has turned out to be wrong; looking at it began then. */
  synchronized void spend(long startNanos) {
    long now = now();
    giveBack(now);
    usedNanos += Math.min(now - startNanos, SIGNATURE_MAX.toNanos());
  }

  private void giveBack(long now) {
    usedNanos = Math.max(0, usedNanos - (now - asOfNanos) * SHARE);
    asOfNanos = now;
  }
}
