package io.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.ProcessMeters.LoopLag;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopLagTest {
  private final Timer timer = new SimpleMeterRegistry().timer("lag");
  private long nanos;
  private final LoopLag lag = new LoopLag(timer, () -> nanos);

  private void tickAfter(Duration time) {
    nanos += time.toNanos();
    lag.tick();
  }

  @Test
  void shouldRecordHowLateATickIs() {
    // when
    tickAfter(Duration.ofMillis(LoopLag.EVERY_MS + 30));

    // then
    assertThat(timer.count()).isEqualTo(1);
    assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isCloseTo(30, within(0.001));
  }

  @Test
  void shouldRecordNothingLateWhenATickComesEarlyAfterALateOne() {
    // given
    tickAfter(Duration.ofMillis(LoopLag.EVERY_MS + 30));

    // when
    tickAfter(Duration.ofMillis(LoopLag.EVERY_MS - 30));

    // then
    assertThat(timer.count()).isEqualTo(2);
    assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isCloseTo(30, within(0.001));
  }
}
