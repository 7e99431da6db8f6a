package io.sluice.bench.chart;

/** The median of several runs, with the smallest and the largest of them. */
record Span(double median, double min, double max) {
  Span {
    if (!(min >= 0 && min <= median && median <= max) || Double.isInfinite(max)) {
      throw new IllegalArgumentException(
          "Expected numbers in order, but got %s, %s, %s".formatted(min, median, max));
    }
  }

  /** Of one measurement, or of several of which only the median is known. */
  static Span of(double value) {
    return new Span(value, value, value);
  }

  boolean isWide() {
    return max > min;
  }

  Span times(double factor) {
    return new Span(median * factor, min * factor, max * factor);
  }
}
