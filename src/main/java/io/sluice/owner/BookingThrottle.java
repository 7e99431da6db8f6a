package io.sluice.owner;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How long booking pauses after a slice. In a stampede it is nine times as long as the slice took,
 * so that grants have priority on the processors and on the database's disk. Buyers wait for the
 * grant, and nobody waits for the booking; the backlog may grow while it is far from its limit.
 *
 * <p>One per instance, shared by the owners on all its event loops. Their pauses add up, so that
 * eight partitions use no more of the machine than one.
 */
public final class BookingThrottle {
  /** Never pauses. */
  public static final BookingThrottle NONE = new BookingThrottle(() -> 0, () -> false);

  /** The maximum pause, however long the slices took. */
  static final Duration REST_MAX = Duration.ofSeconds(8);

  private static final int SHARE = 9;

  private final LongSupplier nanoTime;
  private final BooleanSupplier stampede;

  /** The end of all pauses that were due so far, on the monotonic clock. */
  private final AtomicLong restedAtNanos;

  /**
   * @param nanoTime a monotonic clock
   * @param stampede whether grants have priority now; called from any event loop
   */
  public BookingThrottle(LongSupplier nanoTime, BooleanSupplier stampede) {
    this.nanoTime = nanoTime;
    this.stampede = stampede;
    this.restedAtNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /** The start time of a slice. */
  long begin() {
    return nanoTime.getAsLong();
  }

  /** Whether grants have priority now. */
  boolean isDue() {
    return stampede.getAsBoolean();
  }

  /**
   * The pause after a slice; zero if grants need no priority.
   *
   * @param begin the start time of the slice
   */
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
