package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.monitor.Alarm;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.register.Raises;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Each metric of the file has a test in which a running instance moves it, and each alarm one that
 * breaks what it watches. That they do what their annotations say is checked when they run.
 */
class RegisterTest {
  private static final List<Method> TESTS =
      ReflectionSupport.findAllClassesInPackage(
              "io.sluice", type -> true, name -> name.endsWith("Test") || name.endsWith("IT"))
          .stream()
          .flatMap(
              type ->
                  ReflectionSupport.findMethods(
                      type,
                      method -> method.getDeclaringClass() == type,
                      HierarchyTraversalMode.TOP_DOWN)
                      .stream())
          .toList();

  private final Repository repository = new Repository(Path.of("").toAbsolutePath());

  private static Stream<Method> moving() {
    return TESTS.stream().filter(test -> test.isAnnotationPresent(Moves.class));
  }

  private static Stream<Method> raising() {
    return TESTS.stream().filter(test -> test.isAnnotationPresent(Raises.class));
  }

  @Test
  void shouldNameEachMetricOfTheFileInOneTestThatMovesIt() {
    // given
    Map<String, Object> metrics =
        new Yaml(new SafeConstructor(new LoaderOptions()))
            .load(repository.text("src/main/resources/metrics.yaml"));

    // when
    List<String> moved =
        moving().flatMap(test -> Arrays.stream(test.getAnnotation(Moves.class).value())).toList();

    // then
    assertThat(moved).containsExactlyInAnyOrderElementsOf(metrics.keySet());
  }

  @Test
  void shouldNameEachAlarmInOneTestThatProvokesIt() {
    // when
    List<Alarm> raised =
        raising().flatMap(test -> Arrays.stream(test.getAnnotation(Raises.class).value())).toList();

    // then
    assertThat(raised).containsExactlyInAnyOrder(Alarm.values());
  }

  @Test
  void shouldRunWhatIsNamed() {
    assertThat(Stream.concat(moving(), raising()))
        .allMatch(test -> AnnotationSupport.isAnnotated(test, Testable.class))
        .noneMatch(test -> AnnotationSupport.isAnnotated(test, Disabled.class))
        .noneMatch(test -> AnnotationSupport.isAnnotated(test.getDeclaringClass(), Disabled.class));
    assertThat(moving())
        .as("a metric is scraped of a running instance")
        .allMatch(test -> test.getDeclaringClass().getSimpleName().endsWith("IT"));
  }
}
