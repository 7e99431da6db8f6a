package io.sluice.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

/** The bounds of the buckets of a histogram. */
final class Bounds {
  private Bounds() {}

  static Duration[] ms(long... bounds) {
    return LongStream.of(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }
}
