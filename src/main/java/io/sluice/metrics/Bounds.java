package io.sluice.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

/** The bounds of the buckets of a histogram. */
final class Bounds {
  /** The goal is that 99 of 100 are below 250 ms; scans come in steps of 100 ms. */
  static final Duration[] OF_TIMEOUTS = ms(50, 100, 150, 200, 250, 500, 1_000, 5_000, 30_000);

  static final Duration[] OF_APPENDS = ms(2, 5, 20, 100, 500, 2_000);

  private Bounds() {}

  static Duration[] ms(long... bounds) {
    return LongStream.of(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }
}
