package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitTest {
  private static final int PER_S = 10;

  private long nowNanos;

  /** Also where the clock overflows meanwhile, or twice its time does. */
  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE, Long.MAX_VALUE / 2})
  void shouldBeWholeAgainAfterASecondWhereverTheClockBegan(long start) {
    // given
    nowNanos = start;
    RateLimit unit = new RateLimit(PER_S, () -> nowNanos);
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

  @Test
  void shouldGiveNoneWhenThereIsNoneASecond() {
    // given
    RateLimit unit = new RateLimit(0, () -> nowNanos);

    // when
    nowNanos += Duration.ofSeconds(1).toNanos();

    // then
    assertThat(unit.take()).isFalse();
    assertThat(unit.take(1)).isZero();
  }

  @Test
  void shouldHaveAPermitAgainThatIsGivenBack() {
    // given
    RateLimit unit = new RateLimit(PER_S, () -> nowNanos);
    unit.take(PER_S);

    // when
    unit.giveBack();

    // then
    assertThat(unit.take(PER_S)).isEqualTo(1);
  }
}
