package io.sluice.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.chart.ReportCharts.Drawn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The charts of {@code docs/benchmarks} are what the reports there give. {@code mvn test
 * -Dtest=KeptChartsTest -Dredraw} draws them again first.
 */
class KeptChartsTest {
  private static final Path FOLDER = Path.of("docs", "benchmarks");
  private static final String REDRAW = "redraw";
  private static final Pattern IMAGE =
      Pattern.compile("!\\[([^\\]]+)\\]\\((?:docs/|\\.\\./)?benchmarks/([\\w-]+\\.svg)\\)");

  @BeforeAll
  static void redrawWhenAsked() throws IOException {
    if (System.getProperty(REDRAW) != null) {
      for (Path report : files(".md")) {
        ReportCharts.draw(report);
      }
    }
  }

  @Test
  void shouldKeepTheChartsThatTheKeptReportsGive() throws IOException {
    // given
    Map<String, String> kept = new TreeMap<>();
    for (Path chart : files(".svg")) {
      kept.put(chart.getFileName().toString(), Files.readString(chart));
    }

    // when
    Map<String, String> drawn = new TreeMap<>();
    for (Path report : files(".md")) {
      drawn.putAll(ReportCharts.of(Files.readString(report)).svgs());
    }

    // then
    assertThat(kept).as("see -D" + REDRAW).isNotEmpty().isEqualTo(drawn);
  }

  @Test
  void shouldLinkTheChartsAtTheEndOfEachKeptReport() throws IOException {
    for (Path report : files(".md")) {
      // given
      String kept = Files.readString(report);

      // when
      Drawn drawn = ReportCharts.of(kept);

      // then
      assertThat(kept).as(report.toString()).isEqualTo(drawn.text());
    }
  }

  @Test
  void shouldShowChartsUnderTheirTitles() throws IOException {
    // given
    Map<String, String> titles = new TreeMap<>();
    for (Path report : files(".md")) {
      Findings.of(new KeptReport(Files.readString(report)))
          .forEach((name, chart) -> titles.put(name, chart.title()));
    }

    // when
    Map<String, String> onThePage = shownOn(Path.of("docs", "benchmarks.md"));
    Map<String, String> tried =
        shownOn(Path.of("docs", "decisions", "0040-what-the-benchmarks-tried.md"));
    Map<String, String> onTheFirstPage = shownOn(Path.of("README.md"));

    // then
    assertThat(titles).containsAllEntriesOf(onThePage);
    assertThat(titles).containsAllEntriesOf(tried);
    assertThat(titles).containsAllEntriesOf(onTheFirstPage);
  }

  private static Map<String, String> shownOn(Path page) throws IOException {
    Map<String, String> shown = new TreeMap<>();
    IMAGE
        .matcher(Files.readString(page))
        .results()
        .forEach(image -> shown.put(image.group(2), image.group(1)));
    return shown;
  }

  private static List<Path> files(String extension) {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(extension)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
