package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkuStateTest {

  @ParameterizedTest
  @CsvSource({
    // stored state, now, opens_at, closes_at, effective state
    "SCHEDULED,  99, 100,   0, SCHEDULED",
    "SCHEDULED, 100, 100,   0, OPEN",
    "SCHEDULED, 100,   0,   0, OPEN",
    "SCHEDULED, 149, 100, 150, OPEN",
    "SCHEDULED, 150, 100, 150, CLOSED",
    "SCHEDULED,  50, 100,  40, CLOSED",
    "OPEN,       99, 100,   0, OPEN",
    "OPEN,      149,   0, 150, OPEN",
    "OPEN,      150,   0, 150, CLOSED",
    "CLOSED,    120, 100, 150, CLOSED",
    "FROZEN,    120, 100, 150, FROZEN",
    "FROZEN,    150, 100, 150, FROZEN",
    "ENDING,    120, 100, 150, ENDING",
    "ENDED,     120, 100, 150, ENDED",
    "ARCHIVED,  150, 100, 150, ARCHIVED"
  })
  void shouldAmountToWhatTheClockSays(
      SkuState stored, long now, long opensAt, long closesAt, SkuState expected) {
    // when
    SkuState amountsTo = stored.at(now, opensAt, closesAt);

    // then
    assertThat(amountsTo).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "SCHEDULED, false, false, SCHEDULED",
    "OPEN,      false, false, OPEN",
    "CLOSED,    false, false, CLOSED",
    "FROZEN,    false, false, FROZEN",
    "ENDING,    true,  false, CLOSED",
    "ENDED,     true,  true,  CLOSED",
    "ARCHIVED,  true,  true,  CLOSED"
  })
  void shouldBeClosedInRedisOnceItEnds(
      SkuState stored, boolean ending, boolean ended, SkuState inRedis) {
    // when
    SkuState shown = stored.inRedis();

    // then
    assertThat(shown).isEqualTo(inRedis);
    assertThat(stored.isEnding()).isEqualTo(ending);
    assertThat(stored.isEnded()).isEqualTo(ended);
  }
}
