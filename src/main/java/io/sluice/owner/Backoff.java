package io.sluice.owner;

import java.time.Duration;

/** How long to wait before the next try: 50 ms, doubled each time, 2 s at most. */
final class Backoff {
  static final Duration FIRST = Duration.ofMillis(50);
  static final Duration MAX = Duration.ofSeconds(2);

  private Duration next = FIRST;

  Duration next() {
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(MAX) > 0 ? MAX : doubled;
    return now;
  }

  void reset() {
    next = FIRST;
  }
}
