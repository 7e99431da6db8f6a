package io.sluice.bench;

import io.sluice.bench.chart.ReportCharts;
import io.sluice.bench.row.SchemesMeasured;
import io.sluice.bench.site.Site;
import io.sluice.testkit.process.Screen;
import io.sluice.testkit.server.Backend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Shows the rows on the screen and writes {@code target/bench/report.md} with its charts. */
final class Report {
  private static final Path FILE = Path.of("target", "bench", "report.md");

  private final Screen screen;
  private final Plan plan;
  private final Site site;
  private String schemes = "";

  Report(Screen screen, Plan plan, Site site) {
    this.screen = screen;
    this.plan = plan;
    this.site = site;
  }

  /** Prints one row. */
  void show(Result result) {
    Samples ratios = result.ratios();
    screen.line("");
    screen.line("  %s. %s", result.row().number(), result.title());
    screen.line(
        "     %s  (min %s, max %s; %s: %s)",
        number(ratios.median()),
        number(ratios.min()),
        number(ratios.max()),
        result.goal().text(),
        result.isReached() ? "reached" : "NOT REACHED");
    result
        .figures()
        .forEach(
            (name, values) ->
                screen.line(
                    "     %-24s %12s  (%s to %s)",
                    name, number(values.median()), number(values.min()), number(values.max())));
    result.notes().forEach(note -> screen.line("     %s", note));
    screen.line("");
  }

  /** Prints the other schemes and Sluice in one table. */
  void showSchemes(List<SchemesMeasured.Outcome> outcomes) {
    schemes = SchemeTable.markdown(outcomes);
    screen.line("");
    schemes.lines().forEach(line -> screen.line("%s", "  " + line));
    screen.line("");
  }

  /** Writes the report with all rows measured so far. */
  void write(List<Result> results) {
    try {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, markdown(setting(), results, schemes));
      ReportCharts.draw(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      // The figures are written, and the rows to come are worth more than the charts.
      screen.line("  The charts could not be drawn: %s", e.getMessage());
    }
  }

  static String markdown(String setting, List<Result> results, String schemes) {
    StringBuilder text = new StringBuilder("# Sluice, measured\n\n");
    text.append(setting).append("\n\n");
    text.append("| | measure | goal | median | min | max | |\n|---|---|---|---|---|---|---|\n");
    for (Result result : results) {
      text.append(ratio(result, result.title(), result.goal(), result.ratios()));
      Row.Beside beside = result.row().beside();
      if (beside != null && !result.isBesideBaseline()) {
        Samples figure = result.figures().get(beside.figure());
        text.append(ratio(result, beside.figure(), beside.goal(), figure));
      }
    }
    for (Result result : results) {
      text.append("\n## ").append(result.title()).append("\n\n");
      text.append("| figure | median | min | max |\n|---|---|---|---|\n");
      result
          .figures()
          .forEach(
              (name, values) -> text.append("| %s | %s |%n".formatted(name, cells(values, ""))));
      result.notes().forEach(note -> text.append("\n").append(note).append('\n'));
    }
    return text.append('\n').append(schemes).toString();
  }

  private static String ratio(Result result, String measure, Goal goal, Samples ratios) {
    return "| %s | %s | %s | %s | %s |%n"
        .formatted(
            result.row().number(),
            measure,
            goal.text(),
            cells(ratios, "**"),
            goal.isReached(ratios.median()) ? "reached" : "not reached");
  }

  private static String cells(Samples values, String emphasis) {
    return emphasis
        + number(values.median())
        + emphasis
        + " | "
        + number(values.min())
        + " | "
        + number(values.max());
  }

  private String setting() {
    return "%d processors for everything: generator (%s, %d connections), service, %s. %d runs of %d s a row; JVMs %s."
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            site.generator().name(),
            plan.connections(),
            site.backends().all().stream().map(Backend::describe).collect(Collectors.joining(", ")),
            plan.runs(),
            plan.length().toSeconds(),
            plan.jvm());
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.2f", value);
  }
}
