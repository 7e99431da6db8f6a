package io.sluice.owner;

import io.sluice.async.LoopContext.Timers;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The pause before the next piece of work that nobody waits for. It is repeated in a stampede, or
 * for another reason of the caller, but not without end.
 */
final class StampedePause {
  private final Timers timers;
  private final Duration length;
  private final int timesMax;
  private final BooleanSupplier isRepeated;
  private final Runnable next;
  private boolean resting;

  /**
   * @param timesMax the maximum number of pauses in a row
   * @param isRepeated asked after each of them
   * @param next runs after the last one
   */
  StampedePause(
      Timers timers, Duration length, int timesMax, BooleanSupplier isRepeated, Runnable next) {
    this.timers = timers;
    this.length = length;
    this.timesMax = timesMax;
    this.isRepeated = isRepeated;
    this.next = next;
  }

  boolean isResting() {
    return resting;
  }

  /** Nothing if it is under way. */
  void begin() {
    if (!resting) {
      resting = true;
      rest(1);
    }
  }

  private void rest(int times) {
    timers
        .after(length)
        .onComplete(
            rested -> {
              resting = isRepeated.getAsBoolean() && times < timesMax;
              if (resting) {
                rest(times + 1);
              } else {
                next.run();
              }
            });
  }
}
