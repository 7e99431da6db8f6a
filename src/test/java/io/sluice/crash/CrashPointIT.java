package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.crash.CrashTable.Point;
import io.sluice.crash.Round.Cast;
import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.SaleSite;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills instances at each step of their work. One survives, three are killed and restarted; {@code
 * -Dsluice.crash=all} kills at every point of the table instead of at a choice made by {@code
 * -Dsluice.seed}: some points of a third of the scenes.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CrashPointIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withFaults()
          .setting("SLUICE_HTTP_INSTANCES", 1)
          .setting("SLUICE_KAFKA_REQUEST_TIMEOUT_MS", 700)
          .setting("SLUICE_KAFKA_DELIVERY_TIMEOUT_MS", 1_000)
          .setting("SLUICE_RESERVATION_GRANT_DEADLINE_MS", 1_500)
          .setting("SLUICE_RESERVATION_SWEEP_AFTER_MS", 2_000)
          .setting("SLUICE_RESERVATION_TIMEOUT_SCAN_MS", 200)
          .setting("SLUICE_RECONCILE_INTERVAL_MS", 1_000);

  @TempDir static Path folder;

  private static final List<Suspect> suspects = new ArrayList<>();
  private static GroupMembers group;

  @BeforeAll
  static void findSuspects() {
    CrashTable.printSeed();
    group = new GroupMembers(Backends.shared().kafka().bootstrapServers(), site.group());
    for (String name : List.of("a", "b", "c")) {
      suspects.add(new Suspect(site, folder, name, Map.of()));
    }
  }

  @AfterAll
  static void leave() {
    group.close();
  }

  @BeforeEach
  void forgetOrders() {
    suspects.forEach(suspect -> suspect.tell(List.of()));
  }

  private static List<Scene> scenes() {
    return CrashTable.scenes(CrashTable.WHOLE, new Random(CrashTable.SEED));
  }

  @ParameterizedTest
  @MethodSource("scenes")
  @Order(1)
  void shouldKeepItsPromisesWhenItIsKilledAtAnyPointOf(Scene scene) {
    // given
    List<Point> points =
        CrashTable.of(scene, CrashTable.WHOLE, new Random(CrashTable.SEED + scene.ordinal()));
    List<Stage> stages = new ArrayList<>();
    List<String> played = new ArrayList<>();

    // when
    for (int i = 0; i < points.size(); i += suspects.size()) {
      List<Cast> casts = new ArrayList<>();
      for (int j = i; j < Math.min(points.size(), i + suspects.size()); j++) {
        casts.add(new Cast(points.get(j), suspects.get(j - i)));
      }
      Stage stage = new Round(site, group, scene, casts).play();
      stages.add(stage);
      played.add(casts + " with SKU " + stage.skuId());
    }

    // then
    site.awaitReady();
    try {
      stages.forEach(Stage::settle);
      site.checkPromises();
      stages.forEach(Stage::buyOut);
    } catch (AssertionError | ConditionTimeoutException broken) {
      String which =
          "sluice.seed=%d: killed at %s".formatted(CrashTable.SEED, String.join("; ", played));
      throw new AssertionError(which, broken);
    }
  }

  /** A call missing in the table would never be tested with a kill. */
  @Test
  @Order(2)
  void shouldHaveEveryCallThatItMakesInTheTable() {
    // when
    Stream<String> made =
        suspects.stream()
            .flatMap(suspect -> suspect.trail().stream())
            .map(step -> new Point(step, Scene.IDLE).call())
            .filter(call -> !call.equals(TappedPorts.NO_CALL))
            .distinct();

    // then
    assertThat(made)
        .isSubsetOf(
            Stream.concat(
                    CrashTable.ALL.stream().map(Point::call), CrashTable.WITHOUT.keySet().stream())
                .toList());
  }
}
