package io.sluice.reservation.grant;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many orders an instance may book past the order log: so many per second, and at most those of
 * one second at once. It keeps a stampede from falling on the ledger. Any thread may take from it.
 */
public final class DirectBudget {
  private final @Nullable Bucket places;

  /**
   * Makes a full budget.
   *
   * @param perSecond orders; 0 = none ever
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

  /** Takes up to so many places, and tells how many it took. */
  int take(int orders) {
    return places == null ? 0 : (int) places.tryConsumeAsMuchAsPossible(orders);
  }

  /** Time since the start, since a monotonic clock may start anywhere, also before an overflow. */
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
