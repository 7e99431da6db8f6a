package io.sluice.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.explore.mutant.Defect;
import io.sluice.explore.mutant.Mutants;
import io.sluice.explore.run.Breach;
import io.sluice.explore.run.Cut;
import io.sluice.explore.run.Run;
import io.sluice.explore.run.Scenario;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The explorer must find each planted defect; otherwise a run without a breach would prove nothing.
 */
@ExtendWith(Silence.class)
class ExplorerPlantedTest {
  private static final Logger log = LoggerFactory.getLogger(ExplorerPlantedTest.class);
  private static final long FIRST_SEED = 1;
  private static final long SEEDS_MAX = 3_000;

  @ParameterizedTest
  @EnumSource
  void shouldFindTheDefectWhenOneIsPlanted(Mutants planted) {
    // when
    Explorer.Failed found = find(planted, FIRST_SEED);
    while (!keepsAllWithoutIt(planted, found.seed())) {
      log.atWarn().log("{}: seed {} breaks a promise without it", planted, found.seed());
      found = find(planted, found.seed() + 1);
    }

    // then
    log.atWarn().log("{} is found by {}", planted, found);
    assertThat(found.breach().rule()).as(found.toString()).isNotEqualTo(Breach.NOTHING_THROWS);
  }

  private static Explorer.Failed find(Mutants planted, long from) {
    Explorer explorer =
        new Explorer(planted::make, seed -> planted.tune(Scenario.ofOnePartition(seed)));
    long seeds = SEEDS_MAX - from;
    Explorer.Report report = explorer.explore(from, new Explorer.Enough(seeds, seeds, 0));
    assertThat(report.failed()).as("from seed " + from + " to " + SEEDS_MAX).isPresent();
    return report.failed().get();
  }

  private static boolean keepsAllWithoutIt(Mutants planted, long seed) {
    Scenario scenario = planted.tune(Scenario.ofOnePartition(seed));
    return Run.of(scenario, Cut.none(scenario), Defect.NONE, false).breach() == null;
  }
}
