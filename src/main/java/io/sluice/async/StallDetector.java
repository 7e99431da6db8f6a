package io.sluice.async;

import java.time.Duration;

/**
 * For how long something has not gone on, counted in the calls of a timer. A process that was
 * stopped, or whose clock jumped, thereby judges nothing by time in which nothing could run.
 */
public final class StallDetector {
  /** The period of the timer. */
  public static final Duration TICK = Duration.ofSeconds(1);

  private final long ticksMax;
  private long ticks;

  /** {@code limit} is whole seconds. */
  public StallDetector(Duration limit) {
    this.ticksMax = limit.dividedBy(TICK);
  }

  /** Something has gone on. */
  public void restart() {
    ticks = 0;
  }

  /** A tick without anything going on; true each time the limit is reached. */
  public boolean tick() {
    ticks++;
    return ticks % ticksMax == 0;
  }

  public long seconds() {
    return ticks * TICK.toSeconds();
  }
}
