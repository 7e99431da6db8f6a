package io.sluice.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.explore.mutant.Mutants;
import io.sluice.explore.run.Cut;
import io.sluice.explore.run.Run;
import io.sluice.explore.run.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Silence.class)
class ShrinkerTest {
  private static final int FAULTS_MANY = 10;

  @Test
  void shouldFailInTheSameWayWhenAFailingSeedIsReplayed() {
    // given
    long seed = 1;
    while (run(seed).breach() == null) {
      seed++;
    }

    // when
    Run.Outcome once = run(seed);
    Run.Outcome again = run(seed);

    // then
    assertThat(again.breach()).isNotNull().isEqualTo(once.breach());
    assertThat(again.steps()).isEqualTo(once.steps());
    assertThat(again.fingerprint()).isEqualTo(once.fingerprint());
    assertThat(again.injected()).isEqualTo(once.injected());
  }

  @Test
  void shouldKeepOnlyWhatBreaksThePromiseWhenARunFails() {
    // given
    Mutants planted = Mutants.RELEASE_BEFORE_COMMIT;
    long seed = 1;
    Run.Outcome failing = run(seed);
    while (failing.breach() == null || failing.injected().size() < FAULTS_MANY) {
      failing = run(++seed);
    }

    // when
    Shrinker.Shrunk shrunk = Shrinker.shrink(Scenario.of(seed), planted::make, failing);

    // then
    assertThat(shrunk.outcome().breach().rule()).isEqualTo(failing.breach().rule());
    assertThat(shrunk.outcome().injected()).hasSizeLessThan(FAULTS_MANY / 2);
    assertThat(shrunk.outcome().trace().lines()).isNotEmpty();
    assertThat(shrunk.cut().without()).isNotEmpty();
  }

  private static Run.Outcome run(long seed) {
    Scenario scenario = Scenario.of(seed);
    return Run.of(scenario, Cut.none(scenario), Mutants.RELEASE_BEFORE_COMMIT.make(), false);
  }
}
