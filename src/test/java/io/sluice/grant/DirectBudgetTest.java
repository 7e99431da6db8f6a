package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectBudgetTest {
  private static final int PER_S = 10;

  private long nowNanos;

  /** Also where the clock overflows meanwhile, or twice its time does. */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE, Long.MAX_VALUE / 2})
  void shouldBeWholeAgainAfterASecondWhereverTheClockBegan(long start) {
    // given
    nowNanos = start;
    DirectBudget unit = new DirectBudget(PER_S, () -> nowNanos);
    int first = unit.take(PER_S + 1);
    int meanwhile = unit.take(1);

    // when
    nowNanos += Duration.ofSeconds(1).toNanos();
    int next = unit.take(PER_S + 1);

    // then
    assertThat(first).isEqualTo(PER_S);
    assertThat(meanwhile).isZero();
    assertThat(next).isEqualTo(PER_S);
  }
}
