package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.LoopContext.Timers;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The pauses of one partition's booking between two slices. Each lasts as long as {@link
 * BookingThrottle} says, but is divided into naps. It ends early when the stampede is over or the
 * ownership ends, and after {@link #AWAITED_MAX} if a caller waits for more than a grant, such as a
 * payment.
 */
final class BookingPacer {
  static final Duration NAP = Duration.ofMillis(250);

  /** The longest pause while a caller waits. */
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

  /** The start time of a slice. */
  long begin() {
    return throttle.begin();
  }

  /**
   * Completes with true when the next slice may begin.
   *
   * @param begin the start time of the slice before
   */
  Future<Boolean> after(long begin) {
    return new Rest(throttle.restAfter(begin)).take().map(true);
  }

  /** Whether booking pauses now. */
  boolean isResting() {
    return resting;
  }

  /** Ends pausing; the current nap is the last one. */
  void end() {
    ended = true;
  }

  /** One pause, divided into naps. */
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
