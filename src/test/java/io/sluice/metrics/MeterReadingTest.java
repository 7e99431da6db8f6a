package io.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.MeterReading.Bucket;
import io.sluice.metrics.ProcessMeters.Bounds;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The meters as the live page reads them. */
class MeterReadingTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void shouldReadCountersAndGaugesByTheirTags() {
    // given
    registry.counter("drops", "why", "late").increment(2);
    registry.counter("drops", "why", "idle").increment();
    Gauge.builder("age", () -> 3.5).tag("partition", "0").register(registry);
    Gauge.builder("age", () -> Double.NaN).tag("partition", "1").register(registry);

    // when
    MeterReading unit = new MeterReading(registry);

    // then
    assertThat(unit.sum("drops")).isEqualTo(3);
    assertThat(unit.byTag("drops", "why")).isEqualTo(Map.of("idle", 1.0, "late", 2.0));
    assertThat(unit.max("age")).isEqualTo(3.5);
    assertThat(unit.byTag("age", "partition")).isEqualTo(Map.of("0", 3.5, "1", 0.0));
    assertThat(unit.sum("unknown")).isZero();
  }

  @Test
  void shouldAddUpTheHistogramsOfOneName() {
    // given
    for (String kind : new String[] {"event", "release"}) {
      Timer.builder("lag")
          .tag("kind", kind)
          .serviceLevelObjectives(Bounds.ms(10, 100))
          .register(registry)
          .record(Duration.ofMillis(50));
    }

    // when
    MeterReading unit = new MeterReading(registry);

    // then
    assertThat(unit.histogram("lag").count()).isEqualTo(2);
    assertThat(unit.histogram("lag").buckets())
        .containsExactly(new Bucket(10, 0), new Bucket(100, 2));
    assertThat(unit.histogram("unknown").buckets()).isEmpty();
  }
}
