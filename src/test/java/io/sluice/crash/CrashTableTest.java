package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.crash.CrashTable.Point;
import io.sluice.db.SqlStatement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrashTableTest {
  private static Set<String> callsOfPorts() {
    return TappedPorts.NAMES.entrySet().stream()
        .flatMap(
            port ->
                Arrays.stream(port.getKey().getMethods())
                    .filter(TappedPorts::isAwaited)
                    .map(method -> port.getValue() + "." + method.getName()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> killed() {
    return CrashTable.ALL.stream().map(Point::call).distinct();
  }

  @Test
  void shouldCoverEveryCallOfEveryPort() {
    // when
    Set<String> covered =
        Stream.concat(killed(), CrashTable.WITHOUT.keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));

    // then
    assertThat(covered)
        .as("a kill, or a reason against one, for each call that a port offers")
        .isEqualTo(callsOfPorts());
  }

  @Test
  void shouldNotExcuseWhatIsKilled() {
    assertThat(killed()).doesNotContainAnyElementsOf(CrashTable.WITHOUT.keySet());
  }

  @Test
  void shouldNameEachPointOfASceneOnce() {
    assertThat(CrashTable.ALL).doesNotHaveDuplicates();
  }

  @Test
  void shouldKnowTheStatementsThatItKillsBehind() {
    // given
    Set<String> statements =
        Arrays.stream(SqlStatement.values())
            .map(statement -> statement.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    statements.add("commit");

    // then
    assertThat(CrashTable.ALL.stream().filter(Point::isInTransaction))
        .extracting(point -> point.step().split("/")[1])
        .isSubsetOf(statements);
  }

  @ParameterizedTest
  @EnumSource(Scene.class)
  void shouldChooseEveryPointOfASceneSoonerOrLater(Scene scene) {
    // given
    Random chance = new Random(7);

    // when
    Stream<Point> chosen =
        IntStream.range(0, 200)
            .boxed()
            .flatMap(turn -> CrashTable.of(scene, false, chance).stream())
            .distinct();

    // then
    assertThat(chosen)
        .containsExactlyInAnyOrderElementsOf(CrashTable.of(scene, true, new Random()));
  }

  @Test
  void shouldChooseEverySceneSoonerOrLater() {
    // given
    Random chance = new Random(7);

    // when
    Stream<Scene> chosen =
        IntStream.range(0, 20)
            .boxed()
            .flatMap(turn -> CrashTable.scenes(false, chance).stream())
            .distinct();

    // then
    assertThat(chosen).containsExactlyInAnyOrder(Scene.values());
  }
}
