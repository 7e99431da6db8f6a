package io.sluice.bench.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Heard.What;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of 1,000 orders a second for 60 seconds. */
class LivesTest {
  private static final int PER_S = 1_000;
  private static final Duration LENGTH = Duration.ofSeconds(60);

  @ParameterizedTest
  @CsvSource(
      nullValues = "held",
      value = {
        "600, 0, 0, held",
        "601, 0, 0, '601 orders were not granted'",
        "0, 600, 0, held",
        "0, 601, 0, '601 payments were late or failed'",
        "0, 0, 49, held",
        "0, 0, 52, 'the backlog grew by 52 lives a second'",
      })
  void shouldHoldARateOnlyWhenNearlyAllIsDoneAndNothingGrows(
      long notGranted, long notPaid, int growthPerS, @Nullable String fault) {
    // when
    Lives unit = lives(notGranted, notPaid, underWay(second -> second * growthPerS, 60));

    // then
    assertThat(unit.isHeld()).isEqualTo(fault == null);
    assertThat(unit.fault().orElse("")).contains(fault == null ? "" : fault);
  }

  @Test
  void shouldAllowForTheBurstsOfAShortAttempt() {
    assertThat(lives(0, 0, underWay(second -> second * 300, 22)).isHeld()).isTrue();
    assertThat(lives(0, 0, underWay(second -> second * 700, 22)).isHeld()).isFalse();
  }

  @Test
  void shouldLetTheFirstOrdersTimeOutBeforeItsFiguresBegin() {
    assertThat(Lives.windowS(LENGTH)).isEqualTo(10);
    assertThat(Lives.windowS(Duration.ofSeconds(12))).isEqualTo(2);
    assertThat(Lives.windowS(Duration.ofSeconds(3))).isEqualTo(1);
  }

  @Test
  void shouldSeeGrowthWhenFewerLivesEndThanBegin() {
    assertThat(underWay(second -> 500, 60).grantedPerS()).isEqualTo(PER_S);
    assertThat(underWay(second -> 500 + second % 12 * PER_S, 60).growthPerS())
        .as("none, lives end in bursts")
        .isCloseTo(0, within(1.0));
    assertThat(underWay(second -> 500 + second * 70 + second % 10 * PER_S, 60).growthPerS())
        .as("in bursts")
        .isCloseTo(70, within(1.0));
  }

  private static Lives lives(long notGranted, long notPaid, LivesTrend trend) {
    long granted = PER_S * LENGTH.toSeconds() - notGranted;
    Map<What, Long> counts =
        Map.of(What.ACCEPTED, granted, What.FAILED, notGranted, What.PAY_LATE, notPaid);
    return new Lives(PER_S, LENGTH, new Heard(counts), trend, new Result());
  }

  /** From second 20 on. */
  private static LivesTrend underWay(IntUnaryOperator underWay, int endS) {
    LivesTrend trend = new LivesTrend();
    for (int second = 20; second <= endS; second++) {
      long granted = (long) second * PER_S;
      trend.add(second, granted, granted - underWay.applyAsInt(second));
    }
    return trend;
  }
}
