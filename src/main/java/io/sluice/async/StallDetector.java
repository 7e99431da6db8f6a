package io.sluice.async;

import java.time.Duration;

/**
 * Measures for how long there was no progress, in calls of a timer. So time in which the process
 * was stopped, or by which its clock jumped, does not count.
 */
public final class StallDetector {
  /** The period of the timer. */
  public static final Duration TICK = Duration.ofSeconds(1);

  private final long ticksMax;
  private long ticks;

  /**
   * @param limit whole seconds
   */
  public StallDetector(Duration limit) {
    this.ticksMax = limit.dividedBy(TICK);
  }

  /** There was progress. */
  public void restart() {
    ticks = 0;
  }

  /** Counts a tick without progress; true each time the limit is reached. */
  public boolean tick() {
    ticks++;
    return ticks % ticksMax == 0;
  }

  public long seconds() {
    return ticks * TICK.toSeconds();
  }
}
