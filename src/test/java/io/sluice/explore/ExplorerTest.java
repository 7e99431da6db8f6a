package io.sluice.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.explore.mutant.Defect;
import io.sluice.explore.run.Cut;
import io.sluice.explore.run.Run;
import io.sluice.explore.run.Scenario;
import io.sluice.explore.store.Fault;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Explores the protocol for {@code -Dexplore.seconds=N} seconds, from seed {@code -Dexplore.from=N}
 * on; {@code -Dexplore.seed=N} replays one seed and describes what happened.
 */
@ExtendWith(Silence.class)
class ExplorerTest {
  private static final Logger log = LoggerFactory.getLogger(ExplorerTest.class);
  private static final long FIRST_SEED = Long.getLong("explore.from", 1);
  private static final long SEEDS_MIN = 1_000;

  /** Situations that need two or more faults. */
  private static final String[] RARE_SIGHTS = {
    "a next sale",
    "a round of several partitions",
    "a stale grant is dropped",
    "already granted, not booked",
    "an owner steps down",
    "booked past the log",
    "COMPLETE r1 is told Done",
    "a cart: Already",
    "a cart: Granted",
    "a cart: Refused",
    "REQUEST r2 is told Conflict",
    "confirm is told Conflict",
    "drift: APPEARED",
    "drift: COUNTERS",
    "drift: TOTAL_TOO_HIGH",
    "drift: TOTAL_TOO_LOW",
    "drift: VANISHED",
    "drift: VERSION_TOO_HIGH",
    "extend is told Conflict",
    "extend is told Done",
    "ledger.apply FENCE_LOST",
    "ledger.finishTake BUCKET_CHANGED",
    "ledger.finishTake FENCE_LOST",
    "ledger.lend INTENDED",
    "ledger.refuseTake BUCKET_CHANGED",
    "ledger.refuseTake FENCE_LOST",
    "pay p1 is told Done",
    "pay p2 is told Conflict",
    "refused: limit-reached",
    "refused: order-ended",
    "stock.freeze STALE_TERM",
    "stock.load SUPERSEDED",
    "stock.loadPage SUPERSEDED",
    "stock.open STALE_TERM",
    "stock.open SUPERSEDED",
    "stock.release LOST",
    "stock.release STALE_TERM",
    "stock.reserve LOST",
    "stock.reserve OTHER_SALE",
    "stock.reserve without replicas",
    "stock.take LOADING",
    "stock.take SUPERSEDED",
    "stock.take TOO_FEW",
    "stock.unload SUPERSEDED",
  };

  /** One of some 550 seeds has it: a slow machine may play too few. */
  private static final String RAREST_SIGHT = "a stale grant is not booked past the log";

  private static final long SEEDS_FOR_THE_RAREST = 2_500;

  @Test
  void shouldKeepAllPromisesWhateverGoesWrong() {
    // given
    long seconds = Long.getLong("explore.seconds", 20);
    var enough = new Explorer.Enough(SEEDS_MIN, Long.MAX_VALUE, TimeUnit.SECONDS.toNanos(seconds));
    Long seed = Long.getLong("explore.seed");
    if (seed != null) {
      log.atWarn().log(Explorer.ofTheRealCode().explain(seed));
      enough = new Explorer.Enough(1, 1, 0);
    }

    // when
    Explorer explorer = Explorer.ofTheRealCode();
    Explorer.Report report = explorer.explore(seed == null ? FIRST_SEED : seed, enough);

    // then
    log.atWarn().log("Explored: {}", report);
    report.failed().ifPresent(failed -> fail(explorer.explain(failed.seed())));
    if (seed == null) {
      assertThat(report.seeds()).isGreaterThanOrEqualTo(SEEDS_MIN);
      assertThat(report.steps()).as("steps").isGreaterThan(1_000 * SEEDS_MIN);
      assertThat(report.granted()).as("orders").isGreaterThan(3 * SEEDS_MIN);
      assertThat(report.epochs()).as("loads and rebuilds").isGreaterThan(3 * SEEDS_MIN);
      assertThat(report.sights()).containsKeys(RARE_SIGHTS);
      if (report.seeds() >= SEEDS_FOR_THE_RAREST) {
        assertThat(report.sights()).containsKey(RAREST_SIGHT);
      }
      for (Fault fault : Fault.values()) {
        assertThat(report.faults().getOrDefault(fault, 0)).as(fault.name()).isGreaterThan(100);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 77, 777})
  void shouldDoTheSameStepByStepWhenTheSeedIsTheSame(long seed) {
    // given
    Scenario scenario = Scenario.of(seed);

    // when
    Run.Outcome once = Run.of(scenario, Cut.none(scenario), Defect.NONE, true);
    Run.Outcome again = Run.of(scenario, Cut.none(scenario), Defect.NONE, true);

    // then
    assertThat(again.trace().lines()).hasSizeGreaterThan(100).isEqualTo(once.trace().lines());
    assertThat(again.fingerprint()).isEqualTo(once.fingerprint());
    assertThat(again.injected()).isNotEmpty().isEqualTo(once.injected());
  }
}
