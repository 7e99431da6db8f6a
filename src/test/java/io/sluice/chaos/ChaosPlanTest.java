package io.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosPlanTest {
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void shouldPlanAtLeast60FaultsOfEveryKindWhenTenMinutesLong(long seed) {
    // when
    ChaosPlan plan = ChaosPlan.of(seed, TEN_MINUTES);

    // then
    assertThat(plan.faults()).hasSizeGreaterThanOrEqualTo(60);
    Set<FaultKind> kinds = plan.faults().stream().map(Fault::kind).collect(Collectors.toSet());
    assertThat(kinds).containsExactlyInAnyOrder(FaultKind.values());
  }

  @Test
  void shouldPlanTheSameWhenTheSeedIsTheSame() {
    // when
    ChaosPlan plan = ChaosPlan.of(42, TEN_MINUTES);

    // then
    assertThat(plan).isEqualTo(ChaosPlan.of(42, TEN_MINUTES));
    assertThat(plan.faults()).isNotEqualTo(ChaosPlan.of(43, TEN_MINUTES).faults());
  }
}
