package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock unit = new ManualClock();

  @Test
  void shouldStandStillWhenNotMoved() {
    assertThat(unit.instant()).isEqualTo(unit.instant()).isEqualTo(ManualClock.START);
  }

  @Test
  void shouldMoveByThatMuchWhenAdvanced() {
    // when
    unit.advance(Duration.ofMinutes(6));

    // then
    assertThat(unit.instant()).isEqualTo(ManualClock.START.plusSeconds(360));
  }

  @Test
  void shouldRefuseWhenMovedBack() {
    assertThatThrownBy(() -> unit.advance(Duration.ofMillis(-1)))
        .hasMessage("expected to move forward, but was PT-0.001S");
  }
}
