package io.sluice.bench.row;

import java.util.ArrayList;
import java.util.List;

/** Samples of the lives on a site, and what they say about its backlog. */
final class LivesTrend {
  /**
   * @param granted orders so far
   * @param ended lives that have ended and were told to listeners
   */
  private record Sample(double atS, long granted, long ended) {
    long underWay() {
      return granted - ended;
    }
  }

  private final List<Sample> samples = new ArrayList<>();

  /** In the order of their times, in seconds. */
  void add(double atS, long granted, long ended) {
    samples.add(new Sample(atS, granted, ended));
  }

  /** Orders granted from the first sample to the last. */
  long granted() {
    return last().granted() - samples.get(0).granted();
  }

  double grantedPerS() {
    return granted() / seconds();
  }

  /**
   * How many more lives are under way with each second. The lowest points of both halves are
   * compared: owners book and tell in bursts, between which much is under way.
   */
  double growthPerS() {
    double middle = samples.get(0).atS() + halfS();
    return (lowest(middle, Double.MAX_VALUE) - lowest(0, middle)) / halfS();
  }

  /** The seconds between the two points that are compared. */
  double halfS() {
    return seconds() / 2;
  }

  private double lowest(double fromS, double toS) {
    return samples.stream()
        .filter(sample -> sample.atS() >= fromS && sample.atS() < toS)
        .mapToLong(Sample::underWay)
        .min()
        .orElseThrow();
  }

  private double seconds() {
    return last().atS() - samples.get(0).atS();
  }

  private Sample last() {
    return samples.get(samples.size() - 1);
  }
}
