package io.sluice.bench.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** What the numbers of an axis count. */
enum Unit {
  PER_SECOND("a second"),
  SECONDS("seconds"),
  MILLISECONDS("milliseconds"),
  MICROSECONDS("microseconds"),
  OF_THE_GOAL("of the goal");

  private static final MathContext THREE_DIGITS = new MathContext(3);

  private final String words;

  Unit(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** With the unit in words. */
  String text(double value) {
    return number(value) + " " + words;
  }

  /** Three digits, or all of those before the point. */
  static String number(double value) {
    if (value >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    BigDecimal rounded = new BigDecimal(value).round(THREE_DIGITS);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** A ratio has two digits after the point, as the tables have. */
  static String ratio(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
  }
}
