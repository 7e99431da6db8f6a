package io.sluice.bench;

import java.util.Arrays;
import java.util.List;

/** The values of one figure over several runs. */
public record Samples(List<Double> values) {
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

  private double[] sorted() {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted;
  }
}
