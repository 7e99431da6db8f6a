package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each line at WARN and above is explained to operators. */
class LogLinesTest {
  private static final String MONITORING = "docs/monitoring.md";
  private static final String ALARM = "src/main/java/io/sluice/monitor/Alarm.java";

  /** Warns of variables of the environment that are no keys, each with its name in the text. */
  private static final String MAIN = "src/main/java/io/sluice/Main.java";

  /** The text of a line that is logged in one statement; it may consist of several literals. */
  private static final Pattern LOGGED =
      Pattern.compile(
          "\\.at(?:Warn|Error)\\(\\)(?:[^;\"]|\"[^\"]*\")*?\\.log\\(\\s*(\"[^\"]*\"(?:\\s*\\+\\s*\"[^\"]*\")*)");

  /** A text that this test could not find. */
  private static final Pattern HIDDEN =
      Pattern.compile("\\.atLevel\\(|\\blog\\.(?:warn|error)\\(|\\.log\\(\\s*(?!\")\\w");

  private static final Pattern BETWEEN_LITERALS = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern SHOWN = Pattern.compile("`([^`]+)`");

  private final Repository repository = new Repository(Path.of("").toAbsolutePath());

  @Test
  void shouldExplainEachLineOfAWarningOrAnError() {
    // given
    Set<String> logged = new TreeSet<>();
    for (String source : repository.filesBelow("src/main/java", ".java")) {
      LOGGED
          .matcher(repository.text(source))
          .results()
          .map(line -> BETWEEN_LITERALS.matcher(line.group(1)).replaceAll("").replace("\"", ""))
          .forEach(logged::add);
    }

    // when
    Set<String> shown = new TreeSet<>();
    repository.lines(MONITORING).stream()
        .filter(line -> line.startsWith("| `"))
        .flatMap(line -> SHOWN.matcher(line).results())
        .forEach(text -> shown.add(text.group(1)));

    // then
    assertThat(logged).hasSizeGreaterThan(20);
    assertThat(shown).containsAll(logged);
  }

  @Test
  void shouldWriteTheTextWhereItIsLogged() {
    // when
    List<String> hiding =
        repository.filesBelow("src/main/java", ".java").stream()
            .filter(source -> HIDDEN.matcher(repository.text(source)).find())
            .toList();

    // then
    assertThat(hiding).containsExactlyInAnyOrder(ALARM, MAIN);
  }

  @Test
  void shouldRaiseAlarmsInOnePlace() {
    // when
    List<String> raising =
        repository.filesBelow("src/main/java", ".java").stream()
            .filter(source -> repository.text(source).contains("\"ALARM"))
            .toList();

    // then
    assertThat(raising).containsExactly(ALARM);
  }
}
