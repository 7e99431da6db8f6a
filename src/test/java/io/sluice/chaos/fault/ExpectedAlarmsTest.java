package io.sluice.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.fault.FaultInjector.Strike;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectedAlarmsTest {
  private static final Instant STRUCK = Instant.parse("2026-12-01T10:00:00.000Z");
  private static final String WENT_BACK =
      "ERROR [loop] KnownFences: ALARM: ledger was restored to an earlier state; and so on";

  @ParameterizedTest
  @CsvSource({
    "DATABASE_RESTORED, 2026-12-01T10:00:05.000Z, true",
    "DATABASE_RESTORED, 2026-12-01T09:59:59.000Z, false",
    "DATABASE_RESTORED, 2026-12-01T10:05:00.000Z, false",
    "DATABASE_KILLED, 2026-12-01T10:00:05.000Z, false"
  })
  void shouldExpectAnAlarmOnlyWhileItsFaultIsFelt(FaultKind kind, String time, boolean expected) {
    // given
    var unit = new ExpectedAlarms(List.of(strike(kind)));

    // when
    boolean found = unit.has(time + " " + WENT_BACK);

    // then
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-12-01T10:00:05.000Z ERROR [loop] Booking: ALARM: ledger gate is full",
    "2026-12-01T10:00:05.000Z ERROR [loop] Booking: something else",
    "\tat io.sluice.owner.Booking"
  })
  void shouldExpectNothingElse(String line) {
    // given
    var unit = new ExpectedAlarms(List.of(strike(FaultKind.DATABASE_RESTORED)));

    // when
    boolean found = unit.has(line);

    // then
    assertThat(found).isFalse();
  }

  private static Strike strike(FaultKind kind) {
    var fault = new Fault(1, 0, kind, Aim.of(kind, new Random(1)), 2_000);
    long struckMs = STRUCK.toEpochMilli();
    return new Strike(fault, struckMs, struckMs + 2_000);
  }
}
