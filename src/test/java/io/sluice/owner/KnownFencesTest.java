package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.testkit.process.LogWatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownFencesTest {
  private final KnownFences unit = new KnownFences();

  @ParameterizedTest
  @CsvSource({"6, 50, true", "6, 100, false", "6, 101, false"})
  void shouldRaiseAnAlarmWhenTheLedgerHasLostWhatWasCommitted(
      long term, long next, boolean wentBack) {
    // given
    unit.note(new Fence(0, 5, 100));

    // when
    try (LogWatch logs = LogWatch.of(KnownFences.class)) {
      boolean suspect = unit.takenOver(new Fence(0, term, next));

      // then
      assertThat(suspect).isEqualTo(wentBack);
      assertThat(logs.alarms()).hasSize(wentBack ? 1 : 0);
      assertThat(logs.alarms()).allMatch(line -> line.contains("bookedBefore=\"100\""));
    }
  }
}
