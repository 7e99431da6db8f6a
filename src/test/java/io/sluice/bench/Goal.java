package io.sluice.bench;

import java.math.BigDecimal;

/** What a ratio is to reach: a bound that it may not fall below, or may not pass. */
public record Goal(double bound, boolean isLowest) {
  private static final String AT_LEAST = "at least ";
  private static final String AT_MOST = "at most ";

  public static Goal atLeast(double bound) {
    return new Goal(bound, true);
  }

  public static Goal atMost(double bound) {
    return new Goal(bound, false);
  }

  /** Of the text that {@link #text} gave. */
  public static Goal parse(String text) {
    if (text.startsWith(AT_LEAST)) {
      return atLeast(Double.parseDouble(text.substring(AT_LEAST.length())));
    }
    if (text.startsWith(AT_MOST)) {
      return atMost(Double.parseDouble(text.substring(AT_MOST.length())));
    }
    throw new IllegalArgumentException("Expected a goal, but got " + text);
  }

  public String text() {
    String number = BigDecimal.valueOf(bound).stripTrailingZeros().toPlainString();
    return (isLowest ? AT_LEAST : AT_MOST) + number;
  }

  boolean isReached(double ratio) {
    return isLowest ? ratio >= bound : ratio <= bound;
  }

  /** 1 where the ratio just reaches it, more where it does better. */
  public double shareOf(double ratio) {
    return isLowest ? ratio / bound : bound / ratio;
  }
}
