package io.sluice.admin.report;

import java.util.List;

/** Bars next to their names, each with its number. */
final class BarChart {
  private static final double STEP = 26;
  private static final double BAR = 18;
  private static final double CHAR = 7.4;
  private static final double GAP = 8;

  private BarChart() {}

  /** A bar. */
  record Bar(String name, long value, String label) {}

  static Markup draw(List<Bar> bars, String style, String described, double width) {
    double left = CHAR * bars.stream().mapToInt(bar -> bar.name().length()).max().orElse(0) + GAP;
    double labels = CHAR * bars.stream().mapToInt(bar -> bar.label().length()).max().orElse(0);
    double room = width - left - labels - GAP;
    long most = Math.max(1, bars.stream().mapToLong(Bar::value).max().orElse(1));
    Markup svg = Svg.begin(width, bars.size() * STEP, described);
    double y = 0;
    for (Bar bar : bars) {
      double wide = bar.value() == 0 ? 0 : Math.max(1, room * bar.value() / most);
      svg.label("name", 0, y + 14, "start", bar.name());
      svg.shape(
          "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
          style, left, y, wide, BAR);
      svg.label("name", left + wide + GAP, y + 14, "start", bar.label());
      y += STEP;
    }
    return svg.raw("</svg>\n");
  }
}
