package io.sluice.reservation;

import java.time.Duration;

/** Sets timers on the event loop of the caller. Vert.x in the service, a moved clock in tests. */
public interface Timers {

  /** Runs the task once, after the delay, on the same event loop; never at once. */
  Timer after(Duration delay, Runnable task);

  /** A timer that was set. */
  interface Timer {

    /** Stops it; nothing happens where it has run already. */
    void cancel();
  }
}
