package io.sluice.bench;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A bound that a median may not fall below, or may not pass. */
record Goal(double bound, boolean isLowest) {
  private static final Pattern TEXT = Pattern.compile("at (least|most) ([\\d.]+)");

  /** {@code at least 0.4} or {@code at most 700}. */
  static Goal parse(String text) {
    Matcher found = TEXT.matcher(text.strip());
    if (!found.matches()) {
      throw new IllegalArgumentException("Expected a goal, but got '" + text + "'");
    }
    return new Goal(Double.parseDouble(found.group(2)), found.group(1).equals("least"));
  }

  String text() {
    String number = BigDecimal.valueOf(bound).stripTrailingZeros().toPlainString();
    return (isLowest ? "at least " : "at most ") + number;
  }

  boolean isReached(double median) {
    return isLowest ? median >= bound : median <= bound;
  }
}
