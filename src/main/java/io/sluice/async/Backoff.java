package io.sluice.async;

import java.time.Duration;

/** The delay before the next retry: 50 ms, doubled each time, at most 2 s or another maximum. */
public final class Backoff {
  public static final Duration FIRST = Duration.ofMillis(50);
  public static final Duration MAX = Duration.ofSeconds(2);

  private final Duration max;
  private Duration next = FIRST;

  public Backoff() {
    this(MAX);
  }

  public Backoff(Duration max) {
    this.max = max;
  }

  public Duration next() {
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(max) > 0 ? max : doubled;
    return now;
  }

  public void reset() {
    next = FIRST;
  }
}
