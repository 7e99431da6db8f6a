package io.sluice.bench;

import static io.sluice.bench.Report.number;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an order costs in each row of a report, as bars of processor time: an SVG of 720 pixels. */
record Chart(Map<String, Map<String, Spread>> rows) {
  private static final List<Figure> PARTS =
      List.of(Figure.SERVICE, Figure.REDIS, Figure.KAFKA, Figure.DATABASE);

  private static final int LEFT = 120;
  private static final int RIGHT = 620;
  private static final int TOP = 74;
  private static final int STEP = 28;

  private static final String HEAD =
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="720" height="%1$d" viewBox="0 0 720 %1$d" \
      role="img" aria-labelledby="title desc" \
      font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif">
      <title id="title">What an order costs</title>
      <desc id="desc">%2$s</desc>
      <style>
        .paper { fill: #ffffff; } text { fill: #1f2328; font-size: 13px; }
        .title { font-size: 16px; font-weight: 600; }
        .p0 { fill: #4c8fd6; } .p1 { fill: #e0805f; } .p2 { fill: #d6aa3a; } .p3 { fill: #55ad7c; }
        @media (prefers-color-scheme: dark) {
          .paper { fill: #0d1117; } text { fill: #e6edf3; }
          .p0 { fill: #2f73c0; } .p1 { fill: #b9532f; } .p2 { fill: #8a6a10; } .p3 { fill: #2c7a4f; }
        }
      </style>
      <rect class="paper" width="720" height="%1$d" rx="6"/>
      <text class="title" x="20" y="30">What an order costs, in microseconds of processor time</text>
      """;

  /** Nothing if no row has processor time. */
  Optional<String> svg() {
    Map<String, Map<String, Spread>> shown =
        rows.entrySet().stream()
            .filter(row -> row.getValue().containsKey(Figure.ALL.words()))
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    Map.Entry::getValue,
                    (one, other) -> one,
                    LinkedHashMap::new));
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    double most = shown.values().stream().mapToDouble(row -> us(row, Figure.ALL)).max().orElse(1);
    String described =
        shown.entrySet().stream()
            .map(row -> row.getKey() + ": " + number(us(row.getValue(), Figure.ALL)))
            .collect(Collectors.joining("; "));
    StringBuilder svg =
        new StringBuilder(HEAD.formatted(TOP + STEP * shown.size() + 12, described));
    for (int part = 0; part < PARTS.size(); part++) {
      int x = LEFT + 110 * part;
      svg.append(rectangle(part, x, 44, 12));
      svg.append(text(x + 18, 55, PARTS.get(part).words().replace("us ", "")));
    }
    int y = TOP;
    for (Map.Entry<String, Map<String, Spread>> row : shown.entrySet()) {
      svg.append(text(20, y + 15, row.getKey()));
      double x = LEFT;
      for (int part = 0; part < PARTS.size(); part++) {
        double width = us(row.getValue(), PARTS.get(part)) / most * (RIGHT - LEFT);
        svg.append(rectangle(part, x, y, width));
        x += width;
      }
      svg.append(text(x + 8, y + 15, number(us(row.getValue(), Figure.ALL))));
      y += STEP;
    }
    return Optional.of(svg.append("</svg>\n").toString());
  }

  private static double us(Map<String, Spread> row, Figure figure) {
    Spread spread = row.get(figure.words());
    return spread == null ? 0 : spread.median();
  }

  private static String rectangle(int part, double x, int y, double width) {
    return String.format(
        Locale.ROOT,
        "<rect class=\"p%d\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
        part,
        x,
        y,
        width,
        y < TOP ? 12 : 20);
  }

  private static String text(double x, int y, String text) {
    return String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>%n", x, y, text);
  }
}
