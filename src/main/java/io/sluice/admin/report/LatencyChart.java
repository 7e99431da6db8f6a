package io.sluice.admin.report;

import io.sluice.admin.report.SaleReport.Period;
import io.sluice.admin.report.SaleReport.RequestPoint;
import io.sluice.admin.report.SaleReport.Requests;
import java.util.List;
import java.util.Locale;

/** How long grants took over time: half of them, and 99 of 100. */
final class LatencyChart {
  private static final double HEIGHT = 150;
  private static final double TOP = 10;
  private static final double AXIS = 26;
  private static final double LEFT = 58;
  private static final double LABELS = 96;
  private static final double APART = 16;
  private static final long OVER_MS = 2_000;
  private static final List<Long> ROUND_MS =
      List.of(
          2L, 4L, 10L, 20L, 30L, 50L, 100L, 150L, 200L, 300L, 400L, 600L, 800L, 1_000L, 1_500L,
          OVER_MS);

  /** Points farther from each other than so many intervals are not joined. */
  private static final int JOINED_MAX = 5;

  private final Requests requests;
  private final TimeAxis axis;
  private final double width;
  private final long topMs;

  private LatencyChart(Requests requests, Period period, double width) {
    this.requests = requests;
    this.width = width;
    this.axis = new TimeAxis(period.fromMs(), period.untilMs(), LEFT, width - LABELS);
    long most = points().stream().mapToLong(point -> ms(point, 99)).max().orElse(1);
    this.topMs = ROUND_MS.stream().filter(round -> round >= most).findFirst().orElse(OVER_MS);
  }

  static Markup draw(Requests requests, Period period, double width) {
    return new LatencyChart(requests, period, width).drawn();
  }

  private List<RequestPoint> points() {
    return requests.points().stream().filter(point -> point.times().count() > 0).toList();
  }

  private static long ms(RequestPoint point, int percent) {
    return point.times().percentile(percent).orElse(OVER_MS);
  }

  private double y(long ms) {
    return TOP + HEIGHT * (1 - (double) ms / topMs);
  }

  private double x(RequestPoint point) {
    return axis.x(
        Math.max(
            axis.fromMs(), Math.min(axis.untilMs(), point.atMs() + requests.intervalMs() / 2)));
  }

  private Markup drawn() {
    Markup svg =
        Svg.begin(width, TOP + HEIGHT + AXIS, "Time to grant an order: half, and 99 of 100");
    for (Period gap : requests.gaps()) {
      double from = axis.x(Math.max(axis.fromMs(), gap.fromMs()));
      double until = axis.x(Math.min(axis.untilMs(), gap.untilMs()));
      svg.shape(
          "<rect class=\"gap\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
          from, TOP, Math.max(2, until - from), HEIGHT);
    }
    for (long tick : List.of(0L, topMs / 2, topMs)) {
      svg.shape(
          "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
          axis.left(), y(tick), axis.right(), y(tick));
      svg.label("sub", LEFT - 6, y(tick) + 4, "end", Words.number(tick) + " ms");
    }
    axis.draw(svg, TOP, TOP + HEIGHT);
    lines(svg, 50, "l-p50", "f-granted");
    lines(svg, 99, "l-p99", "f-lost");
    labels(svg);
    return svg.raw("</svg>\n");
  }

  private void lines(Markup svg, int percent, String line, String dot) {
    StringBuilder path = new StringBuilder();
    List<RequestPoint> points = points();
    for (int i = 0; i < points.size(); i++) {
      RequestPoint point = points.get(i);
      boolean joined = i > 0 && areJoined(points.get(i - 1), point);
      path.append(joined ? 'L' : 'M');
      path.append(String.format(Locale.ROOT, "%.1f %.1f", x(point), y(ms(point, percent))));
      if (!joined && (i + 1 == points.size() || !areJoined(point, points.get(i + 1)))) {
        svg.shape(
            "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
            dot, x(point), y(ms(point, percent)));
      }
    }
    svg.shape("<path class=\"%s\" d=\"%s\"/>", line, path);
  }

  private boolean areJoined(RequestPoint one, RequestPoint next) {
    return next.atMs() - one.atMs() <= JOINED_MAX * requests.intervalMs();
  }

  /** At the end of each line, apart from each other. */
  private void labels(Markup svg) {
    List<RequestPoint> points = points();
    RequestPoint last = points.get(points.size() - 1);
    double high = y(ms(last, 99)) + 4;
    double low = Math.max(y(ms(last, 50)) + 4, high + APART);
    high = low > TOP + HEIGHT ? TOP + HEIGHT - APART : high;
    double x = axis.right() + 8;
    svg.label("name", x, high, "start", "99 %: " + text(last, 99));
    svg.label("name", x, Math.min(low, TOP + HEIGHT), "start", "half: " + text(last, 50));
  }

  static String text(RequestPoint point, int percent) {
    return text(point.times(), percent);
  }

  static String text(GrantTimes times, int percent) {
    return times.percentile(percent).isPresent()
        ? Words.number(times.percentile(percent).getAsLong()) + " ms"
        : "over 2 s";
  }
}
