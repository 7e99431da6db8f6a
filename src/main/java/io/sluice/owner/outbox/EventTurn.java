package io.sluice.owner.outbox;

import java.util.function.BooleanSupplier;

/**
 * When events go out: while a backlog is being booked they wait, for both want the same database,
 * and booking is what the limit of the backlog, and so the next buyer, depends on. After a while
 * they go out all the same, until none is left.
 */
public final class EventTurn {
  /** Looks of the timer that events wait for: with {@code OUTBOX_EVERY}, fifteen seconds. */
  static final int WAITS_MAX = 30;

  private final BooleanSupplier bookingIsBehind;
  private int waits;

  public EventTurn(BooleanSupplier bookingIsBehind) {
    this.bookingIsBehind = bookingIsBehind;
  }

  /** A timer's look: whether the pass may begin. */
  boolean isDue() {
    if (isOver() || !bookingIsBehind.getAsBoolean()) {
      return true;
    }
    waits++;
    return isOver();
  }

  /** Whether the pass may begin, or go on, now. */
  boolean mayRun() {
    return isOver() || !bookingIsBehind.getAsBoolean();
  }

  /** None is left: the next backlog is waited for again. */
  void nothingLeft() {
    waits = 0;
  }

  private boolean isOver() {
    return waits >= WAITS_MAX;
  }
}
