package io.sluice.admin.report;

import io.sluice.admin.report.SaleReport.Period;
import io.sluice.admin.report.SaleReport.RequestPoint;
import io.sluice.admin.report.SaleReport.Requests;
import io.sluice.ledger.History.Kind;
import io.sluice.web.Markup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The charts of the page, drawn as SVG: for wide pages and paper, and for narrow ones with letters
 * of the same size.
 */
final class Chart {
  private static final double WIDE = 760;
  private static final double NARROW = 358;

  /** The room for the times below a chart. */
  private static final double AXIS = 26;

  private final double width;
  private final Markup svg = new Markup();

  private Chart(double width, double height, String described) {
    this.width = width;
    shape("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", width, height);
    svg.text(described).raw("\">\n");
  }

  /** The chart in both widths, of which the page shows one. */
  private static Markup figure(double height, String described, Consumer<Chart> draw) {
    Markup figure = new Markup().raw("<figure>");
    for (double width : new double[] {WIDE, NARROW}) {
      Chart chart = new Chart(width, height, described);
      draw.accept(chart);
      figure.raw(width == WIDE ? "<div class=\"wide\">" : "<div class=\"narrow\">");
      figure.append(chart.svg).raw("</svg>\n</div>");
    }
    return figure.raw("</figure>\n");
  }

  /** An element without content; its attributes are numbers and constants. */
  private void shape(String format, Object... numbers) {
    svg.raw(String.format(Locale.ROOT, format, numbers) + "\n");
  }

  private void rect(String style, double x, double y, double wide, double high) {
    shape(
        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
        style, x, y, wide, high);
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    shape(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        style, x1, y1, x2, y2);
  }

  private void label(String style, double x, double y, String anchor, String text) {
    shape("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", style, x, y, anchor);
    svg.text(text).raw("</text>\n");
  }

  // ---- the time on the horizontal axis

  private record Axis(Period period, double left, double right) {
    private static final double TICK_WIDTH = 78;
    private static final long MINUTE_MS = 60_000;
    private static final long DAY_MS = 86_400_000;
    private static final long SECONDS_UNTIL_MS = 10 * MINUTE_MS;

    private long spanMs() {
      return period.untilMs() - period.fromMs();
    }

    /** The place of a time; one outside of the period is at its end. */
    double x(long ms) {
      long within = Math.max(period.fromMs(), Math.min(period.untilMs(), ms));
      return left + (right - left) * (within - period.fromMs()) / Math.max(1, spanMs());
    }

    /** Round times, as many as there is room for. */
    List<Long> ticks() {
      long stepMs = 1_000;
      double ticksMax = (right - left) / TICK_WIDTH;
      while (spanMs() > ticksMax * stepMs) {
        stepMs = Timeline.next(stepMs);
      }
      List<Long> ticks = new ArrayList<>();
      long first = (period.fromMs() + stepMs - 1) / stepMs * stepMs;
      for (long at = first; at <= period.untilMs(); at += stepMs) {
        ticks.add(at);
      }
      return ticks;
    }

    String label(long ms) {
      String pattern =
          spanMs() < SECONDS_UNTIL_MS ? "HH:mm:ss" : spanMs() < DAY_MS ? "HH:mm" : "MM-dd HH:mm";
      return Words.format(pattern, ms);
    }
  }

  /** Draws it, with lines through the chart. */
  private void axis(Axis axis, double top, double bottom) {
    line("axis", axis.left(), bottom, axis.right(), bottom);
    for (long tick : axis.ticks()) {
      double x = axis.x(tick);
      line("grid", x, top, x, bottom + 4);
      String anchor = x - axis.left() < 24 ? "start" : axis.right() - x < 24 ? "end" : "middle";
      label("sub", x, bottom + 18, anchor, axis.label(tick));
    }
  }

  // ---- bars next to their names, each with its number

  private static final double STEP = 26;
  private static final double BAR = 18;
  private static final double CHAR = 7.4;
  private static final double GAP = 8;

  record Bar(String name, long value, String label) {}

  static Markup bars(List<Bar> bars, String style, String described) {
    return figure(bars.size() * STEP, described, chart -> chart.bars(bars, style));
  }

  private void bars(List<Bar> bars, String style) {
    double left = CHAR * bars.stream().mapToInt(bar -> bar.name().length()).max().orElse(0) + GAP;
    double labels = CHAR * bars.stream().mapToInt(bar -> bar.label().length()).max().orElse(0);
    double room = width - left - labels - GAP;
    long most = Math.max(1, bars.stream().mapToLong(Bar::value).max().orElse(1));
    double y = 0;
    for (Bar bar : bars) {
      double wide = bar.value() == 0 ? 0 : Math.max(1, room * bar.value() / most);
      label("name", 0, y + 14, "start", bar.name());
      rect(style, left, y, wide, BAR);
      label("name", left + wide + GAP, y + 14, "start", bar.label());
      y += STEP;
    }
  }

  // ---- orders over time: a row of bars for each kind, all on one axis of time

  private static final double ROW = 62;
  private static final double LABEL = 26;
  private static final double BAR_LEAST = 1.5;

  /** A row; those in which nothing happened are left out, but for the first two. */
  private record Row(Kind kind, String name, String style) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(Kind.GRANTED, "Granted", "f-granted"),
          new Row(Kind.PAID, "Paid", "f-paid"),
          new Row(Kind.TIMED_OUT, "Timed out", "f-lost"),
          new Row(Kind.CANCELED, "Canceled", "f-other"),
          new Row(Kind.REFUNDED, "Refunded", "f-other"));

  static Markup timeline(SaleReport report, Period period) {
    List<Timeline.Point> points = report.timeline().toPoints();
    List<Row> shown = new ArrayList<>();
    StringBuilder described = new StringBuilder("Orders over time:");
    for (Row row : ROWS) {
      if (shown.size() < 2 || most(points, row) > 0) {
        shown.add(row);
        described.append(" %s %s.".formatted(row.name(), orders(report, row)));
      }
    }
    double bottom = shown.size() * (ROW + LABEL);
    return figure(
        bottom + AXIS,
        described.toString(),
        chart -> {
          Axis axis = new Axis(period, 1, chart.width - 1);
          chart.axis(axis, LABEL, bottom);
          double base = 0;
          for (Row row : shown) {
            base += ROW + LABEL;
            chart.row(report, row, points, axis, base);
          }
        });
  }

  private static long most(List<Timeline.Point> points, Row row) {
    return points.stream().mapToLong(point -> point.of(row.kind())).max().orElse(0);
  }

  private static String orders(SaleReport report, Row row) {
    return Words.number(report.total(row.kind()).orders());
  }

  private void row(
      SaleReport report, Row row, List<Timeline.Point> points, Axis axis, double base) {
    long most = most(points, row);
    double above = base - ROW - 8;
    label("name", axis.left(), above, "start", row.name() + " " + orders(report, row));
    if (most > 0) {
      label("sub", axis.right(), above, "end", "at most " + Words.number(most));
    }
    line("axis", axis.left(), base, axis.right(), base);
    long intervalMs = report.timeline().intervalMs();
    for (Timeline.Point point : points) {
      long count = point.of(row.kind());
      if (count > 0) {
        double x = axis.x(point.atMs());
        double wide = Math.max(BAR_LEAST, axis.x(point.atMs() + intervalMs) - x - 0.5);
        double high = Math.max(1, ROW * count / most);
        rect(row.style(), x, base - high, wide, high);
      }
    }
  }

  // ---- how long grants took over time: half of them, and 99 of 100

  private static final double HEIGHT = 150;
  private static final double TOP = 10;
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

  private record Latencies(Requests requests, List<RequestPoint> points, long topMs, Axis axis) {
    double x(RequestPoint point) {
      return axis.x(point.atMs() + requests.intervalMs() / 2);
    }

    double y(long ms) {
      return TOP + HEIGHT * (1 - (double) ms / topMs);
    }

    double y(RequestPoint point, int percent) {
      return y(ms(point, percent));
    }

    static long ms(RequestPoint point, int percent) {
      return point.times().percentile(percent).orElse(OVER_MS);
    }

    boolean areJoined(int one, int next) {
      return one >= 0
          && next < points.size()
          && points.get(next).atMs() - points.get(one).atMs() <= JOINED_MAX * requests.intervalMs();
    }
  }

  /** At least one point must have grants. */
  static Markup latencies(Requests requests, Period period) {
    List<RequestPoint> points =
        requests.points().stream().filter(point -> point.times().count() > 0).toList();
    long most = points.stream().mapToLong(point -> Latencies.ms(point, 99)).max().orElse(1);
    long topMs = ROUND_MS.stream().filter(round -> round >= most).findFirst().orElse(OVER_MS);
    return figure(
        TOP + HEIGHT + AXIS,
        "Time to grant an order: half, and 99 of 100",
        chart -> {
          Axis axis = new Axis(period, LEFT, chart.width - LABELS);
          chart.latencies(new Latencies(requests, points, topMs, axis));
        });
  }

  private void latencies(Latencies all) {
    Axis axis = all.axis();
    for (Period gap : all.requests().gaps()) {
      double from = axis.x(gap.fromMs());
      rect("gap", from, TOP, Math.max(2, axis.x(gap.untilMs()) - from), HEIGHT);
    }
    for (long tick : List.of(0L, all.topMs() / 2, all.topMs())) {
      line("grid", axis.left(), all.y(tick), axis.right(), all.y(tick));
      label("sub", LEFT - 6, all.y(tick) + 4, "end", Words.number(tick) + " ms");
    }
    axis(axis, TOP, TOP + HEIGHT);
    curve(all, 50, "l-p50", "f-granted");
    curve(all, 99, "l-p99", "f-lost");
    labels(all);
  }

  private void curve(Latencies all, int percent, String style, String dot) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < all.points().size(); i++) {
      RequestPoint point = all.points().get(i);
      double x = all.x(point);
      double y = all.y(point, percent);
      boolean joined = all.areJoined(i - 1, i);
      path.append(String.format(Locale.ROOT, "%s%.1f %.1f", joined ? "L" : "M", x, y));
      if (!joined && !all.areJoined(i, i + 1)) {
        shape("<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", dot, x, y);
      }
    }
    shape("<path class=\"%s\" d=\"%s\"/>", style, path);
  }

  /** At the end of each curve, apart from each other. */
  private void labels(Latencies all) {
    RequestPoint last = all.points().get(all.points().size() - 1);
    double bottom = TOP + HEIGHT;
    double high = all.y(last, 99) + 4;
    double low = Math.max(all.y(last, 50) + 4, high + APART);
    high = low > bottom ? bottom - APART : high;
    double x = all.axis().right() + 8;
    label("name", x, high, "start", "99 %: " + Words.within(last.times(), 99));
    label("name", x, Math.min(low, bottom), "start", "half: " + Words.within(last.times(), 50));
  }
}
