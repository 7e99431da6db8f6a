package io.sluice.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.chaos.fault.ChaosPlan;
import io.sluice.chaos.fault.FaultKind;
import io.sluice.chaos.fault.Rewinds;
import io.sluice.chaos.fault.Targets;
import io.sluice.testkit.redis.RedisTrio;
import io.sluice.testkit.server.Backend;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Kills, pauses and disconnects all parts by a plan that follows from a seed, and checks every
 * promise afterwards. {@code -Dseconds} or {@code -Dminutes} set the length, {@code -Dseed} repeats
 * a plan; without them, 60 seconds of a new plan. {@code -Dkinds}, separated by commas, limits the
 * faults to these kinds.
 */
@Tag("alone")
class ChaosIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0)
          .withServersOfItsOwn(RedisTrio.settings(ServerOptions.none()))
          .withRedisBehindProxy()
          .withFaults();

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
    assumeThat(site.backends().all())
        .as("servers started by the tests")
        .allMatch(Backend::killable);
    assumeThat(site.backends().redis().replicable()).as("Redis with replicas").isTrue();
    long seed = Long.getLong("seed", new Random().nextInt(1_000_000));
    var plan = ChaosPlan.of(seed, length(), kinds());
    site.setting("SLUICE_MYSQL_WRITERS", 1 + seed % 2);

    // when
    Verdict verdict;
    var rewinds = new Rewinds();
    targets = new Targets(site, rewinds);
    try (var run = new ChaosRun(plan, site, targets, rewinds)) {
      verdict = run.run();
    }

    // then
    assertThat(verdict.isSound())
        .as(() -> "seed %d%s%n%s".formatted(seed, verdict.breaches(), plan.faults()))
        .isTrue();
  }

  private static Set<FaultKind> kinds() {
    Set<FaultKind> kinds = Targets.possible(site.backends());
    String wanted = System.getProperty("kinds", "");
    if (!wanted.isEmpty()) {
      kinds.retainAll(Stream.of(wanted.split(",")).map(FaultKind::valueOf).toList());
    }
    return kinds;
  }

  private static Duration length() {
    return Integer.getInteger("seconds") == null && Integer.getInteger("minutes") != null
        ? Duration.ofMinutes(Integer.getInteger("minutes"))
        : Duration.ofSeconds(Integer.getInteger("seconds", SECONDS));
  }
}
