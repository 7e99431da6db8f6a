package io.sluice.client;

import java.time.Duration;

/** When a call must have ended, by a clock that nobody sets. */
final class Deadline {
  private final long endNanos;

  private Deadline(long endNanos) {
    this.endNanos = endNanos;
  }

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** Zero or less once it has passed. */
  Duration left() {
    return Duration.ofNanos(endNanos - System.nanoTime());
  }

  /** Whether it has passed once this time has. */
  boolean isWithin(Duration time) {
    return left().compareTo(time) <= 0;
  }
}
