package io.sluice.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The chart: throughput and latency per stage, as medians with a line from minimum to maximum. A
 * row's number stands before each figure, since several rows have figures of the same name.
 */
final class Chart {
  /**
   * The unit of throughput. Figures that are neither throughput nor time are ratios and not drawn.
   */
  private static final String A_SECOND = "/s";

  private static final int WIDTH = 760;
  private static final int LABEL = 190;
  private static final int BAR = 22;
  private static final int STEP = 32;
  private static final int BARS = WIDTH - LABEL - 110;

  private final StringBuilder svg = new StringBuilder();
  private int y = 10;

  private Chart() {}

  static String of(List<Result> results) {
    Map<String, Samples> throughput = new LinkedHashMap<>();
    Map<String, Samples> latency = new LinkedHashMap<>();
    for (Result result : results) {
      result
          .figures()
          .forEach(
              (name, values) -> {
                String label = result.row().number() + ". " + name;
                if (name.endsWith(" us")) {
                  latency.put(label, values);
                } else if (name.contains(A_SECOND)) {
                  throughput.put(label, values);
                }
              });
    }
    Chart chart = new Chart();
    chart.block("a second", throughput, "#3b7dd8");
    chart.block("latency, microseconds", latency, "#d8843b");
    return chart.finished();
  }

  private void block(String title, Map<String, Samples> figures, String color) {
    if (figures.isEmpty()) {
      return;
    }
    y += 20;
    text(10, y, title, "bold");
    y += 12;
    double most = figures.values().stream().mapToDouble(Samples::max).max().orElse(1);
    figures.forEach((name, values) -> bar(name, values, most, color));
    y += 10;
  }

  private void bar(String name, Samples values, double most, String color) {
    double scale = BARS / most;
    text(10, y + BAR - 6, name.replace(" us", ""), "normal");
    append(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
        LABEL, y, values.median() * scale, BAR, color);
    append(
        "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#222\" stroke-width=\"2\"/>",
        LABEL + values.min() * scale, LABEL + values.max() * scale, y + BAR / 2, y + BAR / 2);
    text(
        (int) (LABEL + values.max() * scale) + 8,
        y + BAR - 6,
        Report.number(values.median()),
        "normal");
    y += STEP;
  }

  private void text(int x, int at, String what, String weight) {
    append("<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>", x, at, weight, what);
  }

  private void append(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private String finished() {
    return String.format(
        Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
            + " font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n%s</svg>%n",
        WIDTH,
        y + 10,
        svg);
  }
}
