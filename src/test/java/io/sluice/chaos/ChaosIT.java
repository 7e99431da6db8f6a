package io.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.testkit.Backend;
import io.sluice.testkit.SaleSite;
import io.sluice.testkit.ServerOptions;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Kills, pauses and cuts off everything, by a plan that follows from a seed, and holds what is left
 * to every promise. {@code -Dseconds} or {@code -Dminutes} say how long, {@code -Dseed} repeats a
 * plan; without them, 60 seconds of a new one.
 */
class ChaosIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0).withServersOfItsOwn(ServerOptions.none()).withFaults();

  private static final int SECONDS = 60;

  private static Targets targets;

  @AfterAll
  static void closeTargets() {
    if (targets != null) {
      targets.close();
    }
  }

  @Test
  void shouldKeepEveryPromiseWhateverDies() throws InterruptedException {
    // given
    assumeThat(site.backends().all()).as("servers of ours").allMatch(Backend::killable);
    long seed = Long.getLong("seed", new Random().nextInt(1_000_000));
    var plan = ChaosPlan.of(seed, length());

    // when
    Verdict verdict;
    targets = new Targets(site);
    try (var run = new ChaosRun(plan, site, targets)) {
      verdict = run.run();
    }

    // then
    assertThat(verdict.isSound())
        .as(() -> "seed %d%s%n%s".formatted(seed, verdict.breaches(), plan.faults()))
        .isTrue();
  }

  private static Duration length() {
    return Integer.getInteger("seconds") == null && Integer.getInteger("minutes") != null
        ? Duration.ofMinutes(Integer.getInteger("minutes"))
        : Duration.ofSeconds(Integer.getInteger("seconds", SECONDS));
  }
}
