package io.sluice.async;

import java.time.Duration;

/** How long to wait before the next try: 50 ms, doubled each time, 2 s at most. */
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
