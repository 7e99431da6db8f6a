package io.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The meters of this instance, for what shows them itself. */
public record MeterReading(MeterRegistry registry) {
  private static final Histogram NONE = new Histogram(0, List.of());

  /** How many values are at most so high. */
  public record Bucket(double boundMs, long count) {}

  /**
   * The counts of a histogram since the process started.
   *
   * @param buckets in the order of their bounds, each with those below it
   */
  public record Histogram(long count, List<Bucket> buckets) {}

  /** The sum over all meters of this name; 0 if there is none. */
  public double sum(String name) {
    return of(name).mapToDouble(MeterReading::value).sum();
  }

  /** The highest of all meters of this name; 0 if there is none. */
  public double max(String name) {
    return of(name).mapToDouble(MeterReading::value).max().orElse(0);
  }

  /** The values of the meters of this name by their value of this tag, in its order. */
  public Map<String, Double> byTag(String name, String tag) {
    Map<String, Double> values = new TreeMap<>();
    of(name)
        .forEach(
            meter ->
                values.merge(String.valueOf(meter.getId().getTag(tag)), value(meter), Double::sum));
    return values;
  }

  /** The histogram of this name, of all its tags. */
  public Histogram histogram(String name) {
    return of(name)
        .filter(Timer.class::isInstance)
        .map(Timer.class::cast)
        .map(MeterReading::histogram)
        .reduce(MeterReading::plus)
        .orElse(NONE);
  }

  private static Histogram histogram(Timer timer) {
    List<Bucket> buckets = new ArrayList<>();
    for (CountAtBucket each : timer.takeSnapshot().histogramCounts()) {
      buckets.add(new Bucket(each.bucket(TimeUnit.MILLISECONDS), (long) each.count()));
    }
    return new Histogram(timer.count(), buckets);
  }

  /** Timers of one name have the same bounds. */
  private static Histogram plus(Histogram one, Histogram other) {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < Math.min(one.buckets().size(), other.buckets().size()); i++) {
      Bucket bucket = one.buckets().get(i);
      buckets.add(new Bucket(bucket.boundMs(), bucket.count() + other.buckets().get(i).count()));
    }
    return new Histogram(one.count() + other.count(), buckets);
  }

  private Stream<Meter> of(String name) {
    return registry.find(name).meters().stream();
  }

  private static double value(Meter meter) {
    if (meter instanceof Counter counter) {
      return counter.count();
    }
    if (meter instanceof FunctionCounter counter) {
      return counter.count();
    }
    if (meter instanceof Gauge gauge) {
      double value = gauge.value();
      return Double.isFinite(value) ? value : 0;
    }
    return 0;
  }
}
