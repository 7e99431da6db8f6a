package io.sluice.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosPlanTest {
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void shouldPlanAtLeast180FaultsWhenHalfAnHourLong(long seed) {
    // when
    ChaosPlan plan = ChaosPlan.of(seed, LONG, ALL);

    // then
    assertThat(plan.faults()).hasSizeGreaterThanOrEqualTo(180);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void shouldPlanEachKindAloneAndMostTogetherWhenHalfAnHourLong(long seed) {
    // when
    ChaosPlan plan = ChaosPlan.of(seed, LONG, ALL);

    // then
    Map<FaultKind, Long> alone =
        plan.scenes().stream()
            .filter(Scene::isAlone)
            .map(scene -> scene.faults().get(0).kind())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    assertThat(alone.keySet()).containsExactlyInAnyOrderElementsOf(ALL);
    assertThat(alone.values()).allMatch(times -> times >= 2);
    Set<FaultKind> together =
        plan.scenes().stream()
            .filter(scene -> !scene.isAlone())
            .flatMap(scene -> scene.faults().stream())
            .map(Fault::kind)
            .collect(Collectors.toSet());
    List<FaultKind> mixed = ALL.stream().filter(FaultKind::mixes).toList();
    assertThat(together).isSubsetOf(mixed).hasSizeGreaterThanOrEqualTo(mixed.size() - 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void shouldBreakNothingTwiceAtATimeWhenFaultsFallTogether(long seed) {
    // when
    ChaosPlan plan = ChaosPlan.of(seed, LONG, ALL);

    // then
    for (Scene scene : plan.scenes()) {
      List<String> touched =
          scene.faults().stream().flatMap(fault -> fault.aim().touched().stream()).toList();
      assertThat(new HashSet<>(touched)).hasSameSizeAs(touched);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void shouldPlanNothingThatTakesLongWhenAMinuteLong(long seed) {
    // when
    ChaosPlan plan = ChaosPlan.of(seed, Duration.ofMinutes(1), ALL);

    // then
    assertThat(plan.faults()).isNotEmpty().noneMatch(fault -> fault.kind().isLong());
  }

  @Test
  void shouldPlanTheSameWhenTheSeedIsTheSame() {
    // when
    ChaosPlan plan = ChaosPlan.of(42, LONG, ALL);

    // then
    assertThat(plan).isEqualTo(ChaosPlan.of(42, LONG, ALL));
    assertThat(plan.faults()).isNotEqualTo(ChaosPlan.of(43, LONG, ALL).faults());
  }

  @Test
  void shouldPlanNoKindThatIsNotPossible() {
    // given
    Set<FaultKind> possible = EnumSet.complementOf(EnumSet.of(FaultKind.DATABASE_RESTORED));

    // when
    ChaosPlan plan = ChaosPlan.of(42, LONG, possible);

    // then
    assertThat(plan.faults()).noneMatch(fault -> !possible.contains(fault.kind()));
  }
}
