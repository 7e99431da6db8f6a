package io.sluice.bench.chart;

import java.util.List;
import java.util.regex.Pattern;

/**
 * One finding: said in the title, with its figures, and shown by a few bars on one axis.
 *
 * @param subtitle what one must know to read it, in lines
 * @param inGroupsOf how many bars belong together
 */
record Chart(String title, List<String> subtitle, int inGroupsOf, List<Bar> bars) {
  static final int BARS_MAX = 6;

  /** Each has a colour. */
  static final int PARTS_MAX = 4;

  private static final Pattern DIGIT = Pattern.compile("\\d");

  Chart {
    if (!DIGIT.matcher(title).find()) {
      throw new IllegalArgumentException("Expected a title with figures, but got '" + title + "'");
    }
    if (bars.isEmpty() || bars.size() > BARS_MAX) {
      throw new IllegalArgumentException(
          "Expected 1 to %d bars, but got %d: %s".formatted(BARS_MAX, bars.size(), title));
    }
    if (bars.stream().map(Bar::unit).distinct().count() > 1) {
      throw new IllegalArgumentException("Expected bars of one unit, but got several: " + title);
    }
    List<String> parts = bars.get(0).partNames();
    if (parts.size() > PARTS_MAX || !bars.stream().allMatch(bar -> bar.partNames().equals(parts))) {
      throw new IllegalArgumentException(
          "Expected bars of the same parts, at most %d, but got others: %s"
              .formatted(PARTS_MAX, title));
    }
    subtitle = List.copyOf(subtitle);
    bars = List.copyOf(bars);
  }

  Unit unit() {
    return bars.get(0).unit();
  }
}
