package io.sluice.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.explore.mutant.Mutants;
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
  private static final long SEEDS_MAX = 2_000;

  @ParameterizedTest
  @EnumSource
  void shouldFindTheDefectWhenOneIsPlanted(Mutants planted) {
    // given
    Explorer explorer =
        new Explorer(planted::make, seed -> planted.tune(Scenario.ofOnePartition(seed)));

    // when
    Explorer.Report report =
        explorer.explore(FIRST_SEED, new Explorer.Enough(SEEDS_MAX, SEEDS_MAX, 0));

    // then
    log.atWarn().log("{} is found by seed {}", planted, report.failed());
    assertThat(report.failed()).as("after " + report.seeds() + " seeds").isPresent();
  }
}
