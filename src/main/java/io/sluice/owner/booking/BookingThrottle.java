package io.sluice.owner.booking;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How long booking rests after a slice: in a stampede nine times as long as the slice took, so that
 * grants get the processors and the database's disk first. Buyers wait for their yes, and nobody
 * waits for the booking; the backlog may grow for as long as it is far from its limit.
 *
 * <p>One per instance, for the owners on all its event loops: their rests add up, so that eight
 * partitions take no more of the machine than one.
 */
public final class BookingThrottle {
  /** Never rests. */
  public static final BookingThrottle NONE = new BookingThrottle(() -> 0, () -> false);

  /** However long slices took, the next one comes within this time. */
  static final Duration REST_MAX = Duration.ofSeconds(8);

  private static final int SHARE = 9;

  private final LongSupplier nanoTime;
  private final BooleanSupplier stampede;

  /** When the rests that are owed so far are over, on the monotonic clock. */
  private final AtomicLong restedAtNanos;

  /**
   * Makes the throttle of an instance.
   *
   * @param nanoTime a monotonic clock
   * @param stampede whether grants should come first now; asked from any event loop
   */
  public BookingThrottle(LongSupplier nanoTime, BooleanSupplier stampede) {
    this.nanoTime = nanoTime;
    this.stampede = stampede;
    this.restedAtNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** The moment at which a slice begins. */
  long begin() {
    return nanoTime.getAsLong();
  }

  /** Whether grants should come first now. */
  boolean isDue() {
    return stampede.getAsBoolean();
  }

  /** The rest after a slice that began then; zero where nobody is in a hurry. */
  Duration restAfter(long begin) {
    if (!isDue()) {
      return Duration.ZERO;
    }
    long now = nanoTime.getAsLong();
    long owed = SHARE * (now - begin);
    long restedAt =
        restedAtNanos.updateAndGet(
            soFar -> now + Math.min(Math.max(soFar - now, 0) + owed, REST_MAX.toNanos()));
    return Duration.ofNanos(restedAt - now);
  }
}
