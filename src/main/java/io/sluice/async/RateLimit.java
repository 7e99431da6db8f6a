package io.sluice.async;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** So many permits a second, and at most those of one second at once. Thread-safe. */
public final class RateLimit {
  private final @Nullable Bucket permits;

  /**
   * Begins with the permits of one second.
   *
   * @param perSecond 0 gives none
   * @param nanoTime a monotonic clock
   */
  public RateLimit(int perSecond, LongSupplier nanoTime) {
    this.permits = perSecond == 0 ? null : permits(perSecond, nanoTime);
  }

  private static Bucket permits(int perSecond, LongSupplier nanoTime) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .withCustomTimePrecision(new Elapsed(nanoTime, nanoTime.getAsLong()))
        .build();
  }

  /** Takes a permit, if there is one. */
  public boolean take() {
    return permits != null && permits.tryConsume(1);
  }

  /** Takes up to this many permits, and returns how many were taken. */
  public int take(int most) {
    return permits == null ? 0 : (int) permits.tryConsumeAsMuchAsPossible(most);
  }

  /** Gives back a permit that turned out not to be used. */
  public void giveBack() {
    if (permits != null) {
      permits.addTokens(1);
    }
  }

  /**
   * Time since the start: a monotonic clock may start at any value, even just before an overflow.
   */
  private record Elapsed(LongSupplier nanoTime, long startNanos) implements TimeMeter {
    @Override
    public long currentTimeNanos() {
      return nanoTime.getAsLong() - startNanos;
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }
}
