package io.sluice.grant;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rate limit of direct bookings of an instance: a number of orders per second, and at most
 * those of one second at once. It protects the ledger from a stampede. Thread-safe.
 */
public final class DirectBudget {
  private final @Nullable Bucket places;

  /**
   * Starts with a full budget.
   *
   * @param perSecond orders per second; 0 allows none
   * @param nanoTime a monotonic clock
   */
  public DirectBudget(int perSecond, LongSupplier nanoTime) {
    this.places = perSecond == 0 ? null : places(perSecond, nanoTime);
  }

  private static Bucket places(int perSecond, LongSupplier nanoTime) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .withCustomTimePrecision(new Elapsed(nanoTime, nanoTime.getAsLong()))
        .build();
  }

  /** Takes up to this many permits, and returns how many were taken. */
  int take(int orders) {
    return places == null ? 0 : (int) places.tryConsumeAsMuchAsPossible(orders);
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
