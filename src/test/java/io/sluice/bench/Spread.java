package io.sluice.bench;

import java.util.List;

/** The values of one figure over several runs: the median, the smallest and the largest. */
record Spread(double median, double min, double max) {
  /** Student's t for 95 %, of one to nine degrees of freedom. */
  private static final double[] T = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262
  };

  static Spread of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  /**
   * The mean of ratios, and the range in which the true one lies with a confidence of 95 %:
   * Student's t of their logarithms, so that a half and twice as much weigh the same. One pair says
   * nothing about the range.
   */
  static Spread ofRatios(List<Double> ratios) {
    int count = ratios.size();
    double mean = ratios.stream().mapToDouble(Math::log).sum() / count;
    double squares =
        ratios.stream().mapToDouble(Math::log).map(x -> x - mean).map(x -> x * x).sum();
    double half =
        count < 2
            ? Double.POSITIVE_INFINITY
            : t(count - 1) * Math.sqrt(squares / (count - 1) / count);
    return new Spread(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half));
  }

  private static double t(int degrees) {
    return degrees <= T.length ? T[degrees - 1] : 1.96 + 2.72 / degrees;
  }
}
