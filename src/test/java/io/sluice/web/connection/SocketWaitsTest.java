package io.sluice.web.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SocketWaitsTest {
  private static final long LATE_MS = SocketWaits.TARGET.toMillis() + 1;
  private static final long SOON_MS = SocketWaits.TARGET.toMillis() / 2;

  private static final int BUSY_PER_MS = 3;

  private final EmbeddedChannel caller = new EmbeddedChannel();
  private long nowNanos = -5;
  private int perMs = BUSY_PER_MS;
  private final SocketWaits unit = new SocketWaits(() -> nowNanos);

  @BeforeEach
  void setUp() {
    for (int i = 0; i < SocketWaits.CROWD; i++) {
      unit.opened();
    }
  }

  @Test
  void shouldStandWhenEveryRequestOfAnIntervalIsLate() {
    // given
    waitedAllThrough(SocketWaits.INTERVAL, 0);

    // when
    waitedAllThrough(SocketWaits.INTERVAL.plusMillis(1), LATE_MS);

    // then
    assertThat(unit.isStanding()).isTrue();
  }

  @Test
  void shouldNotStandWhenOnlyAPauseMadeRequestsLate() {
    // given
    waitedAllThrough(SocketWaits.INTERVAL, 0);
    waitedAllThrough(SocketWaits.INTERVAL.minusMillis(2), LATE_MS);

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
    stand();

    // when
    unit.waited(SOON_MS + 1);

    // then
    assertThat(unit.isStanding()).isTrue();

    // when
    unit.waited(SOON_MS);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  @Test
  void shouldStandAtTheFirstLateRequestWhenItStoodShortlyBefore() {
    // given
    stand();
    unit.waited(0);

    // when
    waitedAllThrough(SocketWaits.CALM.minusMillis(2), 0);
    waitedAllThrough(Duration.ofMillis(1), LATE_MS);

    // then
    assertThat(unit.isStanding()).isTrue();
  }

  @Test
  void shouldNotStandAtTheFirstLateRequestWhenItWasCalm() {
    // given
    stand();
    unit.waited(0);

    // when
    waitedAllThrough(SocketWaits.CALM, 0);
    waitedAllThrough(Duration.ofMillis(1), LATE_MS);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  @Test
  void shouldNotStandWhenNothingIsReadAnyMore() {
    // given
    stand();

    // when
    pass(SocketWaits.INTERVAL);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  @Test
  void shouldNotStandWhenFewCallersAreLateOnASlowMachine() {
    // given
    unit.closed();
    waitedAllThrough(SocketWaits.INTERVAL, 0);

    // when
    waitedAllThrough(SocketWaits.INTERVAL.multipliedBy(20), LATE_MS);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  @Test
  void shouldNotStandWhenFewRequestsBesideIdleConnectionsAreLate() {
    // given
    perMs = BUSY_PER_MS - 1;
    waitedAllThrough(SocketWaits.INTERVAL, 0);

    // when
    waitedAllThrough(SocketWaits.INTERVAL.multipliedBy(20), LATE_MS);

    // then
    assertThat(unit.isStanding()).isFalse();
  }

  private void stand() {
    waitedAllThrough(SocketWaits.INTERVAL, 0);
    waitedAllThrough(SocketWaits.INTERVAL.plusMillis(1), LATE_MS);
    assertThat(unit.isStanding()).isTrue();
  }

  private void waitedAllThrough(Duration time, long ms) {
    for (long passed = 0; passed < time.toMillis(); passed++) {
      for (int i = 0; i < perMs; i++) {
        unit.begun(caller);
      }
      pass(Duration.ofMillis(1));
      unit.waited(ms);
    }
  }

  private void pass(Duration time) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(time.toMillis());
  }
}
