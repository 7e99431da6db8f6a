package io.sluice.admin.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of the page are whole, and do what its policy allows. */
class PageFileTest {
  private static final Path FOLDER = Path.of("src", "main", "resources", "page");
  private static final Pattern IMPORT = Pattern.compile("from '\\./([a-z.]+)'");
  private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"(/[^\"]*)\"");

  /** What turns text into markup or code. */
  private static final Pattern MARKUP =
      Pattern.compile(
          "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|\\beval\\(|new"
              + " Function|createContextualFragment|setAttribute\\('style'|srcdoc|javascript:");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  private static String text(String name) {
    return PageFile.ALL.get(name).content().toString();
  }

  @Test
  void shouldServeEveryFileOfTheFolder() throws IOException {
    assertThat(PageFile.ALL.keySet())
        .containsAll(sources().stream().map(file -> file.getFileName().toString()).toList());
  }

  @Test
  void shouldServeEveryFileThatAnotherOneLoads() throws IOException {
    for (Path file : sources()) {
      for (MatchResult found : IMPORT.matcher(Files.readString(file)).results().toList()) {
        assertThat(PageFile.ALL).as(file.toString()).containsKey(found.group(1));
      }
    }
    for (MatchResult found : LOADED.matcher(text(PageFile.INDEX)).results().toList()) {
      assertThat(PageFile.ALL).containsKey(found.group(1).replace("/page/", ""));
    }
  }

  @Test
  void shouldHaveNoScriptOrStyleInItsMarkup() {
    assertThat(text(PageFile.INDEX))
        .doesNotContain(" style=", "<style")
        .doesNotContainPattern(" on[a-z]+=")
        .doesNotContainPattern("<script(?![^>]* src=)");
  }

  @Test
  void shouldPutTextInAsTextOnly() throws IOException {
    for (Path file : sources()) {
      assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(MARKUP);
    }
  }

  @Test
  void shouldSayWhatEachModuleIsFor() throws IOException {
    for (Path file : sources()) {
      if (file.toString().endsWith(".js")) {
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.get(0)).as(file.toString()).startsWith("// ").endsWith(".");
        assertThat(lines).as(file.toString()).hasSizeLessThan(220);
      }
    }
  }

  @Test
  void shouldServeTheChartsOfTheVersionInThePom() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    String version = pom.replaceFirst("(?s).*<chartjs.version>([^<]+)<.*", "$1");
    assertThat(text("chart.umd.min.js")).contains("Chart.js v" + version);
  }
}
