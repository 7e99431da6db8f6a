package io.sluice.admission;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A number of calls per second, and at most those of one second at once; shared by all event loops,
 * so the sum is exact. Thread-safe.
 */
final class Rate {
  private final Bucket permits;

  /**
   * @param perSecond at least 1
   * @param nanoTime a monotonic clock that began at 0
   */
  Rate(int perSecond, LongSupplier nanoTime) {
    this.permits =
        Bucket.builder()
            .addLimit(
                limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
            .withCustomTimePrecision(new Clock(nanoTime))
            .build();
  }

  boolean take() {
    return permits.tryConsume(1);
  }

  /** Gives back what a call has taken that turned out not to count. */
  void giveBack() {
    permits.addTokens(1);
  }

  private record Clock(LongSupplier nanoTime) implements TimeMeter {
    @Override
    public long currentTimeNanos() {
      return nanoTime.getAsLong();
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }
}
