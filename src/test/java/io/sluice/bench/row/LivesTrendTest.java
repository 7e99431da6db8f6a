package io.sluice.bench.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.bench.site.LifeCounts;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class LivesTrendTest {
  private static final int PER_S = 1_000;

  @Test
  void shouldCountTheGrantsBetweenTheFirstSampleAndTheLast() {
    // when
    LivesTrend unit = underWay(second -> 500);

    // then
    assertThat(unit.granted()).isEqualTo(40 * PER_S);
    assertThat(unit.grantedPerS()).isEqualTo(PER_S);
  }

  @Test
  void shouldSeeNoGrowthWhenLivesEndInBursts() {
    // when
    LivesTrend unit = underWay(second -> 500 + second % 12 * PER_S);

    // then
    assertThat(unit.growthPerS()).isCloseTo(0, within(1.0));
  }

  @Test
  void shouldSeeGrowthWhenFewerLivesEndThanBegin() {
    assertThat(underWay(second -> 500 + second * 70).growthPerS()).isCloseTo(70, within(1.0));
    assertThat(underWay(second -> 500 + second * 70 + second % 10 * PER_S).growthPerS())
        .as("in bursts")
        .isCloseTo(70, within(1.0));
  }

  /** From second 20 to 60. */
  private static LivesTrend underWay(IntUnaryOperator underWay) {
    LivesTrend trend = new LivesTrend();
    for (int second = 20; second <= 60; second++) {
      long granted = (long) second * PER_S;
      trend.add(second, new LifeCounts(granted, granted - underWay.applyAsInt(second)));
    }
    return trend;
  }
}
