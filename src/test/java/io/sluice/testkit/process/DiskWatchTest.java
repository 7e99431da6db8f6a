package io.sluice.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DiskWatchTest {
  private static final Duration STALL = Duration.ofSeconds(2);

  private final ManualClock clock = new ManualClock();
  private final DiskWatch unit = new DiskWatch(clock);

  @Test
  void shouldKnowWhenTheDiskStoodStill() throws IOException {
    // given
    Instant start = clock.instant();

    // when
    unit.round(() -> clock.advance(Duration.ofMillis(100)));
    unit.round(() -> clock.advance(STALL));
    unit.round(() -> clock.advance(Duration.ofMillis(100)));

    // then
    assertThat(unit.stoodStill(STALL, start, start.plusMillis(100))).isFalse();
    assertThat(unit.stoodStill(STALL, start, start.plusMillis(101))).isTrue();
    assertThat(unit.stoodStill(STALL, start.plusMillis(2_099), start.plusMillis(3_000))).isTrue();
    assertThat(unit.stoodStill(STALL, start.plusMillis(2_100), start.plusMillis(3_000))).isFalse();
  }

  @Test
  void shouldNotMindADiskThatIsSlow() throws IOException {
    // given
    Instant start = clock.instant();

    // when
    for (int i = 0; i < 10; i++) {
      unit.round(() -> clock.advance(STALL.minusMillis(1)));
    }

    // then
    assertThat(unit.stoodStill(STALL, start, clock.instant())).isFalse();
  }
}
