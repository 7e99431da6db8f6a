package io.sluice.admin.report;

import java.util.ArrayList;
import java.util.List;

/** The time on the horizontal axis of a chart. */
record TimeAxis(long fromMs, long untilMs, double left, double right) {
  private static final double TICK_WIDTH = 78;
  private static final long MINUTE_MS = 60_000;
  private static final long DAY_MS = 86_400_000;
  private static final long SECONDS_UNTIL_MS = 10 * MINUTE_MS;

  double x(long ms) {
    return left + (right - left) * (ms - fromMs) / Math.max(1, untilMs - fromMs);
  }

  /** Round times, as many as there is room for. */
  List<Long> ticks() {
    long stepMs = 1_000;
    double ticksMax = (right - left) / TICK_WIDTH;
    while (untilMs - fromMs > ticksMax * stepMs) {
      stepMs = Timeline.next(stepMs);
    }
    List<Long> ticks = new ArrayList<>();
    for (long at = (fromMs + stepMs - 1) / stepMs * stepMs; at <= untilMs; at += stepMs) {
      ticks.add(at);
    }
    return ticks;
  }

  private String label(long ms) {
    long span = untilMs - fromMs;
    String pattern = span < SECONDS_UNTIL_MS ? "HH:mm:ss" : span < DAY_MS ? "HH:mm" : "MM-dd HH:mm";
    return Words.format(pattern, ms);
  }

  /** Draws it, with lines through the chart. */
  void draw(Markup svg, double top, double bottom) {
    svg.shape(
        "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
        left, bottom, right, bottom);
    for (long tick : ticks()) {
      double x = x(tick);
      svg.shape(
          "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
          x, top, x, bottom + 4);
      String anchor = x - left < 24 ? "start" : right - x < 24 ? "end" : "middle";
      svg.label("sub", x, bottom + 18, anchor, label(tick));
    }
  }
}
