package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class EventThrottleTest {
  private final AtomicBoolean behind = new AtomicBoolean(true);
  private final EventThrottle unit = new EventThrottle(behind::get);

  @Test
  void shouldWaitWhenABacklogIsBooked() {
    // when
    boolean due = unit.isDue();

    // then
    assertThat(due).isFalse();
    assertThat(unit.mayRun()).isFalse();
  }

  @Test
  void shouldRunAtOnceWhenTheBacklogIsGone() {
    // given
    unit.isDue();
    behind.set(false);

    // when
    boolean mayRun = unit.mayRun();

    // then
    assertThat(mayRun).isTrue();
  }

  @Test
  void shouldRunUntilNothingIsLeftWhenTheBacklogStays() {
    // given
    for (int i = 1; i < EventThrottle.WAITS_MAX; i++) {
      assertThat(unit.isDue()).isFalse();
    }

    // when
    boolean due = unit.isDue();

    // then
    assertThat(due).isTrue();
    assertThat(unit.mayRun()).isTrue();
    unit.nothingLeft();
    assertThat(unit.mayRun()).isFalse();
  }
}
