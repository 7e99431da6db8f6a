package io.sluice.owner;

import java.time.Duration;

/**
 * For how long something has not gone on, counted in the calls of a timer. A process that was
 * stopped, or whose clock jumped, thereby judges nothing by time in which nothing could run.
 */
final class Patience {
  /** The period of the timer. */
  static final Duration TICK = Duration.ofSeconds(1);

  private final long ticksMax;
  private long ticks;

  /** {@code limit} is whole seconds. */
  Patience(Duration limit) {
    this.ticksMax = limit.dividedBy(TICK);
  }

  /** Something has gone on. */
  void restart() {
    ticks = 0;
  }

  /** A tick without anything going on; true each time the limit is reached. */
  boolean tick() {
    ticks++;
    return ticks % ticksMax == 0;
  }

  long seconds() {
    return ticks * TICK.toSeconds();
  }
}
