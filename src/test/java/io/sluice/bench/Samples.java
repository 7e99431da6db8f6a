package io.sluice.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The values of one figure over several runs. */
public record Samples(List<Double> values) {
  /** The probability that the median lies below the range, and the same above. */
  private static final double TAIL = 0.025;

  static Samples of(List<Double> values) {
    return new Samples(List.copyOf(values));
  }

  double min() {
    return sorted()[0];
  }

  double max() {
    return sorted()[values.size() - 1];
  }

  public double median() {
    double[] sorted = sorted();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The range in which the true median lies with a confidence of 95 % (sign test), e.g. {@code 0.98
   * to 1.03}; nothing of fewer than six values, since even all of them say less.
   */
  public Optional<String> confidence() {
    int beyond = -1;
    double tail = Math.pow(0.5, values.size());
    for (double more = tail; tail <= TAIL; beyond++) {
      more *= (double) (values.size() - beyond - 1) / (beyond + 2);
      tail += more;
    }
    return beyond < 0
        ? Optional.empty()
        : Optional.of(
            "%s to %s"
                .formatted(
                    Report.number(sorted()[beyond]),
                    Report.number(sorted()[values.size() - 1 - beyond])));
  }

  private double[] sorted() {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
