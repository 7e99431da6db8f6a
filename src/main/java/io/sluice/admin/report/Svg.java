package io.sluice.admin.report;

import java.util.function.DoubleFunction;

/**
 * A chart in a page: for wide pages and paper, and for narrow ones with letters of the same size.
 */
final class Svg {
  static final double WIDE = 760;
  static final double NARROW = 358;

  private Svg() {}

  /** Begins a chart. */
  static Markup begin(double width, double height, String described) {
    return new Markup()
        .shape("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", width, height)
        .text(described)
        .raw("\">\n");
  }

  /** The chart in both widths, of which the page shows one. */
  static Markup both(DoubleFunction<Markup> chart) {
    return new Markup()
        .raw("<figure><div class=\"wide\">")
        .append(chart.apply(WIDE))
        .raw("</div><div class=\"narrow\">")
        .append(chart.apply(NARROW))
        .raw("</div></figure>\n");
  }
}
