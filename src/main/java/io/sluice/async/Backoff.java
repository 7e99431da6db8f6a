package io.sluice.async;

import java.time.Duration;

/** The delay before the next retry: 50 ms, doubled each time, at most 2 s. */
public final class Backoff {
  public static final Duration FIRST = Duration.ofMillis(50);
  public static final Duration MAX = Duration.ofSeconds(2);

  private Duration next = FIRST;

  public Duration next() {
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(MAX) > 0 ? MAX : doubled;
    return now;
  }

  public void reset() {
    next = FIRST;
  }
}
