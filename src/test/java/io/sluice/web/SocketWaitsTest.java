package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.OverloadGate.SocketWaits;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketWaitsTest {
  private static final long LATE_MS = SocketWaits.TARGET.toMillis() + 1;
  private static final long SOON_MS = SocketWaits.TARGET.toMillis() / 2;

  private long nowNanos = -5;
  private final SocketWaits unit = new SocketWaits(() -> nowNanos);

  @Test
  void shouldStandWhenEveryRequestOfAnIntervalIsLate() {
    // when
    waitedAllThrough(SocketWaits.INTERVAL, LATE_MS);

    // then
    assertThat(unit.isStanding()).isTrue();
  }

  @Test
  void shouldNotStandWhenOnlyAPauseMadeRequestsLate() {
    // given
    waitedAllThrough(SocketWaits.INTERVAL.minusMillis(1), LATE_MS);

    // when
    unit.waited(SocketWaits.TARGET.toMillis());
    pass(Duration.ofMillis(1));
    unit.waited(LATE_MS);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  @Test
  void shouldStandUntilRequestsWaitForHalfTheTargetOnly() {
    // given
    waitedAllThrough(SocketWaits.INTERVAL, LATE_MS);

    // when
    unit.waited(SOON_MS + 1);

    // then
    assertThat(unit.isStanding()).isTrue();

    // when
    unit.waited(SOON_MS);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0})
  void shouldStandAtTheFirstLateRequestOnlyWhenItStoodShortlyBefore(long beyondCalmMs) {
    // given
    waitedAllThrough(SocketWaits.INTERVAL, LATE_MS);
    unit.waited(0);
    pass(SocketWaits.CALM.plusMillis(beyondCalmMs));

    // when
    unit.waited(LATE_MS);

    // then
    assertThat(unit.isStanding()).isEqualTo(beyondCalmMs < 0);
  }

  @Test
  void shouldNotStandWhenNothingIsReadAnyMore() {
    // given
    waitedAllThrough(SocketWaits.INTERVAL, LATE_MS);

    // when
    pass(SocketWaits.INTERVAL);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  private void waitedAllThrough(Duration time, long ms) {
    unit.waited(ms);
    for (long passed = 0; passed < time.toMillis(); passed++) {
      pass(Duration.ofMillis(1));
      unit.waited(ms);
    }
  }

  private void pass(Duration time) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(time.toMillis());
  }
}
