package io.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.OutboxMeters.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutboxMetersTest {
  private static final String KIND = "release";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private long nanos;
  private final OutboxMeters unit = new OutboxMeters(registry, () -> nanos);

  private double ageS() {
    return registry.get("sluice_outbox_age_seconds").tag("kind", KIND).gauge().value();
  }

  private Timer lag() {
    return registry.get("sluice_outbox_lag").tag("kind", KIND).timer();
  }

  private void after(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void shouldShowTheOldestRowOfAllPartitions() {
    // when
    unit.read(KIND, 0, true, List.of(new Waiting(1, 2_500), new Waiting(2, 100)));
    unit.read(KIND, 1, true, List.of(new Waiting(3, 400)));
    unit.read(KIND, 1, false, List.of(new Waiting(4, 9_000)));

    // then
    assertThat(ageS()).isEqualTo(2.5);
  }

  @Test
  void shouldShowNothingWhenAllIsSentOrNobodyLooks() {
    // given
    unit.read(KIND, 0, true, List.of(new Waiting(1, 2_500)));
    unit.read(KIND, 1, true, List.of(new Waiting(2, 1_500)));

    // when
    unit.read(KIND, 0, true, List.of());
    double ofTheOther = ageS();
    after(OutboxMeters.LOOK_MAX.plusMillis(1));

    // then
    assertThat(ofTheOther).isEqualTo(1.5);
    assertThat(ageS()).isZero();
  }

  private double rows() {
    return registry.get("sluice_outbox_backlog_rows").tag("kind", KIND).gauge().value();
  }

  @Test
  void shouldShowHowManyRowsOfAllPartitionsWait() {
    // given
    unit.waiting(KIND, 0, 7);
    unit.waiting(KIND, 1, 12);

    // when
    unit.waiting(KIND, 0, 3);
    double ofBoth = rows();
    after(OutboxMeters.COUNT_MAX.plusMillis(1));

    // then
    assertThat(ofBoth).isEqualTo(15);
    assertThat(rows()).isZero();
  }

  @Test
  void shouldCountAgainOnlyWhatWasNotCountedAMomentAgo() {
    // given
    boolean never = unit.isCounted(KIND, 0);

    // when
    unit.waiting(KIND, 0, 7);

    // then
    assertThat(never).isFalse();
    assertThat(unit.isCounted(KIND, 0)).isTrue();
    assertThat(unit.isCounted(KIND, 1)).isFalse();
    after(OutboxMeters.RECENT.plusMillis(1));
    assertThat(unit.isCounted(KIND, 0)).isFalse();
  }

  @Test
  void shouldMeasureFromTheCommitUntilTheRowIsSent() {
    // given
    unit.read(KIND, 0, true, List.of(new Waiting(1, 300)));
    after(Duration.ofMillis(200));
    unit.read(KIND, 0, true, List.of(new Waiting(1, 500)));
    after(Duration.ofMillis(100));

    // when
    unit.sent(List.of(1L, 77L));
    unit.sent(List.of(1L));

    // then
    assertThat(lag().count()).isEqualTo(1);
    assertThat(lag().totalTime(TimeUnit.MILLISECONDS)).isCloseTo(600, within(0.001));
  }

  @Test
  void shouldForgetTheRowsThatWereReadFirstWhenThereAreMany() {
    // given
    unit.read(KIND, 0, true, List.of(new Waiting(-1, 0)));
    for (long id = 0; id < OutboxMeters.KEPT_MAX; id++) {
      unit.read(KIND, 0, false, List.of(new Waiting(id, 0)));
    }

    // when
    unit.sent(List.of(-1L, 5L));

    // then
    assertThat(lag().count()).isEqualTo(1);
  }
}
