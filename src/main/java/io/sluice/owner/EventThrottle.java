package io.sluice.owner;

import java.util.function.BooleanSupplier;

/**
 * Decides when events are published. They wait while a backlog is booked, since both use the same
 * database, and grants depend on the backlog staying below its limit. After {@link #WAITS_MAX}
 * timer ticks they are published anyway, until none is left.
 */
final class EventThrottle {
  /**
   * The number of timer ticks that events wait at most: with {@code OUTBOX_EVERY}, fifteen seconds.
   */
  static final int WAITS_MAX = 30;

  private final BooleanSupplier bookingIsBehind;
  private int waits;

  EventThrottle(BooleanSupplier bookingIsBehind) {
    this.bookingIsBehind = bookingIsBehind;
  }

  /** Called by the timer: whether the pass may begin. */
  boolean isDue() {
    if (isOver() || !bookingIsBehind.getAsBoolean()) {
      return true;
    }
    waits++;
    return isOver();
  }

  /** Whether the pass may begin or continue now. */
  boolean mayRun() {
    return isOver() || !bookingIsBehind.getAsBoolean();
  }

  /** All events are published, so that the next backlog delays them again. */
  void nothingLeft() {
    waits = 0;
  }

  private boolean isOver() {
    return waits >= WAITS_MAX;
  }
}
