package io.sluice.bench.chart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The charts of a report, drawn from its text, beside it and linked at its end. */
public final class ReportCharts {
  private static final String HEADING = "## Charts";

  /**
   * What comes of a report.
   *
   * @param text the report with the links to its charts
   * @param svgs each chart by the name of its file
   */
  record Drawn(String text, Map<String, String> svgs) {}

  private ReportCharts() {}

  /** Draws them, again where the report has some already. */
  public static void draw(Path report) throws IOException {
    Drawn drawn = of(Files.readString(report));
    for (Map.Entry<String, String> svg : drawn.svgs().entrySet()) {
      Files.writeString(report.resolveSibling(svg.getKey()), svg.getValue());
    }
    Files.writeString(report, drawn.text());
  }

  static Drawn of(String report) {
    int links = report.indexOf("\n" + HEADING + "\n");
    String figures = (links < 0 ? report : report.substring(0, links)).stripTrailing();
    StringBuilder text = new StringBuilder(figures).append("\n\n").append(HEADING).append('\n');
    Map<String, String> svgs = new LinkedHashMap<>();
    Findings.of(new KeptReport(figures))
        .forEach(
            (name, chart) -> {
              svgs.put(name, ChartSvg.of(chart));
              text.append("\n![").append(chart.title()).append("](").append(name).append(")\n");
            });
    return new Drawn(svgs.isEmpty() ? figures + "\n" : text.toString(), svgs);
  }
}
