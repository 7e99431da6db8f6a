package io.sluice.bench.chart;

import io.sluice.bench.chart.Bar.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A chart as SVG, 720 pixels wide: in a page of that width its text has the sizes given here. The
 * widths of letters are guessed for a wide font, since the reader's is not known.
 */
final class ChartSvg {
  private static final int WIDTH = 720;
  private static final int MARGIN = 20;
  private static final int BAR = 22;
  private static final int STEP = 32;
  private static final int STEP_OF_PARTS = 38;
  private static final int GROUP_GAP = 12;

  private static final int TITLE_CHARS_MAX = 74;
  private static final int SUBTITLE_CHARS_MAX = 106;
  private static final double NAME_CHAR = 7.3;
  private static final double LABEL_CHAR = 7.6;
  private static final double NUMBER_MARGIN = 5;

  private static final String STYLE =
      """
      <style>
        .paper { fill: #ffffff; }
        .title { fill: #1f2328; font-size: 16px; font-weight: 600; }
        .sub { fill: #57606a; font-size: 12.5px; }
        .name, .label { fill: #1f2328; font-size: 13.5px; }
        .axis { stroke: #8c959f; stroke-width: 1; }
        .goal { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 4 3; }
        .span { stroke: #1f2328; stroke-width: 1.5; fill: none; }
        .ours { fill: #4c8fd6; } .other { fill: #afb8c1; } .short { fill: #e0805f; }
        .p0 { fill: #4c8fd6; } .p1 { fill: #e0805f; } .p2 { fill: #d6aa3a; } .p3 { fill: #55ad7c; }
        .in { fill: #10151b; font-size: 12px; }
        @media (prefers-color-scheme: dark) {
          .paper { fill: #0d1117; }
          .title, .name, .label { fill: #e6edf3; }
          .sub { fill: #9aa4af; }
          .axis { stroke: #6e7681; }
          .goal, .span { stroke: #ffffff; }
          .ours { fill: #2f73c0; } .other { fill: #57606a; } .short { fill: #b9532f; }
          .p0 { fill: #2f73c0; } .p1 { fill: #b9532f; } .p2 { fill: #8a6a10; } .p3 { fill: #2c7a4f; }
          .in { fill: #ffffff; }
        }
      </style>
      """;

  private final Chart chart;
  private final StringBuilder body = new StringBuilder();
  private final double left;
  private final double scale;

  /** Where there is a goal, since its line would cross them elsewhere. */
  private final double labelsAt;

  private int y;

  private ChartSvg(Chart chart) {
    this.chart = chart;
    left = MARGIN + NAME_CHAR * longest(chart.bars().stream().map(Bar::name).toList()) + 12;
    double labels = LABEL_CHAR * longest(chart.bars().stream().map(Bar::label).toList()) + 12;
    double most = chart.bars().stream().mapToDouble(bar -> bar.value().max()).max().orElse(1);
    most = hasGoal() ? Math.max(1, most) : most;
    scale = (WIDTH - MARGIN - labels - left) / (most > 0 ? most : 1);
    labelsAt = WIDTH - MARGIN - labels + 12;
  }

  static String of(Chart chart) {
    return new ChartSvg(chart).drawn();
  }

  private String drawn() {
    y = 14;
    balanced(chart.title(), TITLE_CHARS_MAX).forEach(line -> headline("title", 21, line));
    y += 2;
    chart.subtitle().stream()
        .flatMap(line -> wrapped(line, SUBTITLE_CHARS_MAX).stream())
        .forEach(line -> headline("sub", 17, line));
    legend();
    y += 14;
    int top = y;
    for (int i = 0; i < chart.bars().size(); i++) {
      y += i > 0 && chart.inGroupsOf() > 1 && i % chart.inGroupsOf() == 0 ? GROUP_GAP : 0;
      bar(chart.bars().get(i));
      y += step();
    }
    int bottom = y - step() + BAR;
    line("axis", left, top - 5, left, bottom + 5);
    if (hasGoal()) {
      line("goal", left + scale, top - 5, left + scale, bottom + 5);
    }
    return framed(bottom + MARGIN);
  }

  private String framed(int height) {
    String described =
        chart.bars().stream().map(Bar::described).collect(Collectors.joining("; ", "", "."));
    return String.format(
            Locale.ROOT,
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
            role="img" aria-labelledby="title desc" \
            font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif">
            <title id="title">%3$s</title>
            <desc id="desc">%4$s</desc>
            """,
            WIDTH,
            height,
            escaped(chart.title()),
            escaped(String.join(" ", chart.subtitle()) + " " + described))
        + STYLE
        + "<rect class=\"paper\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n".formatted(WIDTH, height)
        + body
        + "</svg>\n";
  }

  private int step() {
    return chart.bars().get(0).parts().isEmpty() ? STEP : STEP_OF_PARTS;
  }

  private boolean hasGoal() {
    return chart.unit() == Unit.OF_THE_GOAL;
  }

  private void headline(String style, int height, String line) {
    y += height;
    text(style, MARGIN, y, "start", line);
  }

  private void legend() {
    List<Part> parts = chart.bars().get(0).parts();
    if (parts.isEmpty()) {
      return;
    }
    y += 24;
    double x = left;
    for (int i = 0; i < parts.size(); i++) {
      box("p" + i, x, y - 11, 12, 12);
      text("sub", x + 18, y, "start", parts.get(i).name());
      x += 18 + NAME_CHAR * parts.get(i).name().length() + 18;
    }
  }

  private void bar(Bar bar) {
    text("name", left - 10, y + 16, "end", bar.name());
    double end = left + bar.value().median() * scale;
    if (bar.parts().isEmpty()) {
      box(bar.tone().name().toLowerCase(Locale.ROOT), left, y, end - left, BAR);
    } else {
      end = parts(bar.parts());
    }
    if (bar.value().isWide()) {
      end = Math.max(end, whisker(bar));
    }
    text("label", hasGoal() ? labelsAt : end + 8, y + 16, "start", bar.label());
  }

  /** Below a bar that has numbers in it. */
  private double whisker(Bar bar) {
    double from = left + bar.value().min() * scale;
    double to = left + bar.value().max() * scale;
    int top = bar.parts().isEmpty() ? y + BAR / 2 - 4 : y + BAR + 1;
    append("<path class=\"span\" d=\"M%.1f %dv8m0 -4H%.1fm0 -4v8\"/>", from, top, to);
    return to;
  }

  private double parts(List<Part> parts) {
    double x = left;
    for (int i = 0; i < parts.size(); i++) {
      double width = parts.get(i).value() * scale;
      box("p" + i, x, y, Math.max(0, width - 1), BAR);
      String number = Math.round(parts.get(i).value()) + "";
      if (width >= NUMBER_MARGIN + LABEL_CHAR * number.length()) {
        text("in", x + width / 2, y + 15, "middle", number);
      }
      x += width;
    }
    return x;
  }

  private void text(String style, double x, int at, String anchor, String what) {
    append(
        "<text class=\"%s\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s</text>",
        style, x, at, anchor, escaped(what));
  }

  private void box(String style, double x, int at, double width, int height) {
    append(
        "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
        style, x, at, width, height);
  }

  private void line(String style, double fromX, int fromY, double toX, int toY) {
    append(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
        style, fromX, fromY, toX, toY);
  }

  private void append(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static int longest(List<String> texts) {
    return texts.stream().mapToInt(String::length).max().orElse(0);
  }

  /** Into as few lines as can be, of much the same length. */
  private static List<String> balanced(String text, int charsMax) {
    List<String> lines = wrapped(text, charsMax);
    for (int chars = charsMax - 1; wrapped(text, chars).size() == lines.size(); chars--) {
      if (chars == 1) {
        break;
      }
      lines = wrapped(text, chars);
    }
    return lines;
  }

  private static List<String> wrapped(String text, int charsMax) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ")) {
      if (line.length() > 0 && line.length() + 1 + word.length() > charsMax) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() > 0 ? " " : "").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
