package io.sluice.admin.report;

import io.sluice.admin.report.SaleReport.Period;
import io.sluice.ledger.SaleHistory.Kind;
import java.util.ArrayList;
import java.util.List;

/** What happened to orders over time: a row of bars for each, all on one axis of time. */
final class TimelineChart {
  private static final double ROW = 62;
  private static final double LABEL = 26;
  private static final double AXIS = 26;
  private static final double BAR_LEAST = 1.5;

  private TimelineChart() {}

  /** A row; those in which nothing happened are left out, but for the first two. */
  private record Line(Kind kind, String name, String style) {}

  private static final List<Line> LINES =
      List.of(
          new Line(Kind.GRANTED, "Granted", "f-granted"),
          new Line(Kind.PAID, "Paid", "f-paid"),
          new Line(Kind.TIMED_OUT, "Timed out", "f-lost"),
          new Line(Kind.CANCELED, "Canceled", "f-other"),
          new Line(Kind.REFUNDED, "Refunded", "f-other"));

  static Markup draw(SaleReport report, Period period, double width) {
    List<Timeline.Point> points = report.timeline().toPoints();
    List<Line> shown = new ArrayList<>();
    for (Line line : LINES) {
      if (shown.size() < 2 || most(points, line) > 0) {
        shown.add(line);
      }
    }
    TimeAxis axis = new TimeAxis(period.fromMs(), period.untilMs(), 1, width - 1);
    double bottom = shown.size() * (ROW + LABEL);
    Markup svg = Svg.begin(width, bottom + AXIS, "Orders over time: " + described(report, shown));
    axis.draw(svg, LABEL, bottom);
    double base = 0;
    for (Line line : shown) {
      base += ROW + LABEL;
      row(svg, report, line, points, axis, base);
    }
    return svg.raw("</svg>\n");
  }

  private static long most(List<Timeline.Point> points, Line line) {
    return points.stream().mapToLong(point -> point.of(line.kind())).max().orElse(0);
  }

  private static String described(SaleReport report, List<Line> shown) {
    StringBuilder all = new StringBuilder();
    for (Line line : shown) {
      all.append(line.name()).append(' ');
      all.append(Words.number(report.total(line.kind()).orders())).append(". ");
    }
    return all.toString().strip();
  }

  private static void row(
      Markup svg,
      SaleReport report,
      Line line,
      List<Timeline.Point> points,
      TimeAxis axis,
      double base) {
    long most = most(points, line);
    String orders = Words.number(report.total(line.kind()).orders());
    svg.label("name", axis.left(), base - ROW - 8, "start", line.name() + " " + orders);
    if (most > 0) {
      svg.label("sub", axis.right(), base - ROW - 8, "end", "at most " + Words.number(most));
    }
    svg.shape(
        "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        axis.left(), base, axis.right(), base);
    long intervalMs = report.timeline().intervalMs();
    for (Timeline.Point point : points) {
      long count = point.of(line.kind());
      if (count > 0) {
        double x = axis.x(point.atMs());
        double wide = Math.max(BAR_LEAST, axis.x(point.atMs() + intervalMs) - x - 0.5);
        double high = Math.max(1, ROW * count / most);
        svg.shape(
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
            line.style(), x, base - high, wide, high);
      }
    }
  }
}
