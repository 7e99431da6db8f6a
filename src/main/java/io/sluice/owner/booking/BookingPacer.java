package io.sluice.owner.booking;

import io.sluice.async.AsyncLoop;
import io.sluice.async.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The rests of one partition's booking between two slices, as long as {@link BookingThrottle} says,
 * but in naps: it ends with the stampede, with the ownership, and soon where somebody waits for
 * more than a grant, such as a payment.
 */
public final class BookingPacer {
  public static final Duration NAP = Duration.ofMillis(250);

  /** Rest where somebody waits. */
  static final Duration AWAITED_MAX = Duration.ofSeconds(1);

  private final BookingThrottle throttle;
  private final Timers timers;
  private final BooleanSupplier awaited;
  private boolean resting;
  private boolean ended;

  BookingPacer(BookingThrottle throttle, Timers timers, BooleanSupplier awaited) {
    this.throttle = throttle;
    this.timers = timers;
    this.awaited = awaited;
  }

  /** The moment at which a slice begins. */
  long begin() {
    return throttle.begin();
  }

  /** Completes, with true, when the next slice may begin after the one that began then. */
  Future<Boolean> after(long begin) {
    return new Rest(throttle.restAfter(begin)).take().map(true);
  }

  /** Whether booking lets what it has wait. */
  boolean isResting() {
    return resting;
  }

  /** No more naps; the one under way is the last. */
  void end() {
    ended = true;
  }

  /** A rest in naps. */
  private final class Rest {
    private Duration left;
    private Duration rested = Duration.ZERO;

    Rest(Duration whole) {
      this.left = whole;
    }

    Future<Void> take() {
      return AsyncLoop.whileTrue(this::nap);
    }

    private Future<Boolean> nap() {
      boolean enough = awaited.getAsBoolean() && rested.compareTo(AWAITED_MAX) >= 0;
      resting = left.toMillis() > 0 && !ended && !enough;
      if (!resting) {
        return Future.succeededFuture(false);
      }
      Duration nap = left.compareTo(NAP) < 0 ? left : NAP;
      return timers
          .after(nap)
          .map(
              woken -> {
                left = throttle.isDue() ? left.minus(nap) : Duration.ZERO;
                rested = rested.plus(nap);
                return true;
              });
    }
  }
}
