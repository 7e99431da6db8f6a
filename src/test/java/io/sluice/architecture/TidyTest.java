package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Rules for the sources: headers, and lists that two places must have in common. {@link DocsTest}
 * compares the pages with the code.
 */
class TidyTest {
  private static final String LUA = "src/main/resources/lua/";
  private static final String LUA_FRAME = "frame.lua";
  private static final String LUA_ENUM = "io.sluice.stock.redis.LuaScript";
  private static final String SQL = "src/main/resources/sql/";
  private static final String SCHEMA = SQL + "schema/";

  private static final Pattern MACHINE_PATH = Pattern.compile("(?<![\\w.~-])/(work|root|home)/");
  private static final Pattern REGISTRY =
      Pattern.compile(
          "repo1?\\.maven|(central|oss)\\.sonatype|registry\\.npmjs|pypi\\.org|files\\.pythonhosted"
              + "|(deb|archive)\\.(debian|ubuntu)|crates\\.io|proxy\\.golang|jitpack\\.io");

  private final Repository repository = new Repository(Path.of("").toAbsolutePath());

  /** Such a chain overflows the stack once the data is long enough: {@link FutureChains}. */
  @Test
  void shouldChainNoFuturesWithoutABound() {
    assertThat(futureChains()).isEmpty();
  }

  @Test
  void shouldBeginEveryScriptAndStatementWithItsContract() {
    assertThat(missingHeaders()).isEmpty();
  }

  @Test
  void shouldNameEveryScriptInItsEnum() throws ClassNotFoundException {
    // when
    Stream<String> named =
        Stream.of(Class.forName(LUA_ENUM).getEnumConstants())
            .map(script -> ((Enum<?>) script).name().toLowerCase(Locale.ROOT) + ".lua");

    // then
    assertThat(repository.filesBelow(LUA))
        .extracting(file -> file.substring(LUA.length()))
        .containsExactlyInAnyOrderElementsOf(Stream.concat(named, Stream.of(LUA_FRAME)).toList());
  }

  @Test
  void shouldNameTheBaseOfTheImageByItsDigest() {
    assertThat(repository.text("Dockerfile").lines().filter(line -> line.startsWith("ARG BASE=")))
        .singleElement()
        .asString()
        .matches("ARG BASE=[a-z-]+:[a-z0-9.-]+@sha256:[0-9a-f]{64}");
  }

  @Test
  void shouldNotNameAMachineOrARegistry() {
    assertThat(foreignNames()).isEmpty();
  }

  private List<Finding> futureChains() {
    String remedy = "its chain of Futures grows with the data: use AsyncLoop";
    return repository.filesBelow("src/main/java", ".java").stream()
        .flatMap(
            file ->
                FutureChains.in(repository.text(file)).stream()
                    .map(name -> new Finding(file + "#" + name, remedy)))
        .toList();
  }

  private List<Finding> missingHeaders() {
    List<Finding> findings = new ArrayList<>();
    for (String file : repository.filesBelow(LUA, ".lua")) {
      checkHeader(findings, file, List.of("KEYS", "ARGV", "RETURNS", "INVARIANT"));
    }
    for (String file : repository.filesBelow(SQL, ".sql")) {
      if (file.startsWith(SCHEMA)) {
        checkHeader(findings, file, List.of("INVARIANT"));
      } else {
        checkStatements(findings, file);
      }
    }
    return findings;
  }

  private void checkStatements(List<Finding> findings, String file) {
    for (String block : repository.text(file).split("(?m)^-- name: ")) {
      if (!block.isEmpty()) {
        List<String> lines = block.lines().toList();
        checkHeader(
            findings,
            file + "#" + lines.get(0),
            HeaderComment.of(lines.subList(1, lines.size())),
            List.of("PARAMETERS", "RETURNS", "INVARIANT"));
      }
    }
  }

  private void checkHeader(List<Finding> findings, String file, List<String> labels) {
    checkHeader(findings, file, HeaderComment.of(repository.lines(file)), labels);
  }

  private static void checkHeader(
      List<Finding> findings, String place, HeaderComment header, List<String> labels) {
    if (!header.startsWithPurpose(labels)) {
      findings.add(new Finding(place, "begin it with a comment that states its purpose"));
    }
    for (String label : labels) {
      if (!header.has(label)) {
        findings.add(
            new Finding(place, "its header comment has no line that begins with " + label));
      }
    }
  }

  private List<Finding> foreignNames() {
    return repository.filesBelow("").stream()
        .filter(file -> repository.text(file).indexOf('\0') < 0)
        .flatMap(this::foreignNamesIn)
        .toList();
  }

  private Stream<Finding> foreignNamesIn(String file) {
    List<String> lines = repository.lines(file);
    return IntStream.range(0, lines.size())
        .filter(
            i -> MACHINE_PATH.matcher(lines.get(i)).find() || REGISTRY.matcher(lines.get(i)).find())
        .mapToObj(i -> new Finding(file, "line " + (i + 1) + " names a machine or a registry"));
  }
}
