package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.monitor.Alarm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The pages agree with the code. */
class DocsTest {
  private static final int README_BYTES_MAX = 12 * 1024;
  private static final String README = "README.md";
  private static final String DESIGN = "docs/design.md";
  private static final String RUNBOOK = "docs/runbook.md";
  private static final String PROGRAMS = "docs/llms.txt";
  private static final String CONFIG = "conf/sluice.yaml";

  private static final Pattern TEST_NAME =
      Pattern.compile("\\b[A-Z]\\w*[a-z](?:IT|Test|Contract)\\b");

  /** At least two capitalised parts: a single capitalised word need not be a class. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("`([A-Z][a-z0-9]+[A-Z][A-Za-z0-9]+)(?:\\.\\w+)?`");

  private static final String CONTRIBUTING = "CONTRIBUTING.md";

  /** A row of the table of packages: name and contents. */
  private static final Pattern PACKAGE_ROW = Pattern.compile("(?m)^\\| `([a-z.]+)` \\|[^|]+\\|$");

  /** A key of the configuration, its default and a comment behind it. */
  private static final Pattern EXPLAINED_KEY =
      Pattern.compile("(?m)^ {2,4}\\w+: (?:\"[^\"]*\"|\\S+)\\s+# .+$");

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** A citation may be split between two lines of a comment. */
  private static final Pattern CITATION =
      Pattern.compile("(\\S*design(?:\\.md)?),?\\s+(?:\\*\\s+)?sections?\\s+([\\d, and]*\\d)");

  private final Repository repository = new Repository(Path.of("").toAbsolutePath());

  @Test
  void shouldTellWhatToDoAtEveryAlarm() {
    // when
    List<String> headings =
        page(RUNBOOK).headings().stream().filter(text -> text.startsWith("`ALARM")).toList();

    // then
    assertThat(headings)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Alarm.values()).map(alarm -> "`" + alarm.text() + "`").toList());
  }

  @Test
  void shouldShowEveryPackage() {
    // when
    Set<String> shown = found(PACKAGE_ROW, repository.text(CONTRIBUTING));

    // then
    assertThat(shown).isEqualTo(PackageRules.mayImport().keySet());
  }

  @Test
  void shouldExplainEveryConfigKeyInTheFile() {
    // given
    String file = repository.text(CONFIG);
    Map<String, Object> sections = new Yaml(new SafeConstructor(new LoaderOptions())).load(file);

    // when
    long explained = EXPLAINED_KEY.matcher(file).results().count();

    // then
    assertThat(explained).isEqualTo(keys(sections));
  }

  @Test
  void shouldCiteOnlySectionsOfTheDesignThatExist() {
    // given
    Set<String> sections =
        pages()
            .filter(page -> page.matches("docs/design(-\\w+)?\\.md"))
            .flatMap(page -> page(page).headings().stream())
            .filter(heading -> heading.matches("\\d+\\. .*"))
            .map(heading -> heading.substring(0, heading.indexOf('.')))
            .collect(Collectors.toSet());

    // when
    List<MatchResult> cited =
        repository.filesBelow("src").stream()
            .filter(file -> file.matches(".*\\.(java|lua|sql)"))
            .filter(file -> !file.endsWith("DocsTest.java"))
            .flatMap(file -> CITATION.matcher(repository.text(file)).results())
            .toList();

    // then
    assertThat(cited).isNotEmpty().allMatch(citation -> citation.group(1).endsWith(DESIGN));
    assertThat(cited)
        .flatMap(citation -> found(NUMBER, citation.group(2)))
        .allMatch(sections::contains);
  }

  @Test
  void shouldLinkOnlyToWhatIsThere() {
    assertThat(pages()).flatMap(this::deadLinks).isEmpty();
  }

  /** The index for programs: each page but single decisions and reports, and nothing else. */
  @Test
  void shouldListEveryPageForPrograms() {
    // given
    Set<String> expected =
        pages()
            .filter(page -> page.matches("docs/[a-z-]+\\.md"))
            .map(page -> page.substring(page.indexOf('/') + 1))
            .collect(Collectors.toSet());

    // when
    List<String> links = page(PROGRAMS).links();

    // then
    assertThat(links).containsAll(expected).doesNotHaveDuplicates();
    assertThat(deadLinks(PROGRAMS)).isEmpty();
  }

  @Test
  void shouldNameOnlyClassesThatExist() {
    // given
    Set<String> known =
        repository.filesBelow("src", ".java").stream()
            .map(file -> file.substring(file.lastIndexOf('/') + 1, file.lastIndexOf('.')))
            .collect(Collectors.toSet());

    // when
    Set<String> named =
        pages()
            .map(repository::text)
            .flatMap(text -> Stream.of(TEST_NAME, CLASS_NAME).map(name -> found(name, text)))
            .flatMap(Set::stream)
            .collect(Collectors.toSet());

    // then
    assertThat(named).isNotEmpty().isSubsetOf(known);
  }

  @Test
  void shouldKeepTheFirstPageShort() {
    assertThat(repository.text(README).getBytes(StandardCharsets.UTF_8).length)
        .as("bytes of " + README)
        .isLessThanOrEqualTo(README_BYTES_MAX);
  }

  private List<String> deadLinks(String file) {
    List<String> dead = new ArrayList<>();
    for (String link : page(file).links()) {
      if (!link.matches("[a-z]+:.*") && !isThere(file, link)) {
        dead.add(file + " links to " + link);
      }
    }
    return dead;
  }

  private boolean isThere(String from, String link) {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    String target =
        path.isEmpty()
            ? from
            : Path.of(from).resolveSibling(path).normalize().toString().replace('\\', '/');
    return repository.has(target)
        && (hash < 0 || page(target).anchors().contains(link.substring(hash + 1)));
  }

  private Stream<String> pages() {
    return repository.filesBelow("", ".md").stream();
  }

  private MarkdownPage page(String file) {
    return new MarkdownPage(repository.lines(file));
  }

  /** An empty map is a value. */
  private static int keys(Map<?, ?> section) {
    return section.values().stream()
        .mapToInt(value -> value instanceof Map<?, ?> inner && !inner.isEmpty() ? keys(inner) : 1)
        .sum();
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(found -> found.group(found.groupCount()))
        .collect(Collectors.toSet());
  }
}
