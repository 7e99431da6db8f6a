package io.sluice.testkit.register;

/** Whether a series moves: a counter that rises, a gauge with another value than at first. */
final class SeriesWatch {
  private static final String COUNT = "_count";

  private final String metric;
  private final boolean counts;
  private double last;

  /**
   * @param metric with the end of the series that it has, see {@link #metricOf}
   * @param first its value before the test
   */
  SeriesWatch(String metric, double first) {
    this.counts = metric.endsWith("_total") || metric.endsWith(COUNT);
    this.metric = metric.replaceFirst(COUNT + "$", "");
    this.last = first;
  }

  /** The name of a series without its labels. */
  static String metricOf(String series) {
    int labels = series.indexOf('{');
    return labels < 0 ? series : series.substring(0, labels);
  }

  String metric() {
    return metric;
  }

  boolean moves(double value) {
    if (!counts) {
      return !Double.isNaN(value) && value != last;
    }
    boolean rises = value > last;
    // An instance that was restarted counts from 0.
    last = value;
    return rises;
  }
}
