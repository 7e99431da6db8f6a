package io.sluice.web;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Times in the API: RFC 3339, milliseconds; written in UTC, read with any offset from it. Formatted
 * by hand, because each answer has three.
 */
public final class Rfc3339 {
  private static final Pattern FORM =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?(Z|[+-]\\d{2}:\\d{2})");
  private static final int DAY_MS = 86_400_000;

  private Rfc3339() {}

  /** The time as text, or null for 0: no such time is set. */
  public static @Nullable String orNull(long epochMs) {
    return epochMs == 0 ? null : append(new StringBuilder(24), epochMs).toString();
  }

  /** Appends a time of the years 0 to 9999. */
  static StringBuilder append(StringBuilder to, long epochMs) {
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(epochMs, DAY_MS));
    int ms = (int) Math.floorMod(epochMs, (long) DAY_MS);
    digits(to, day.getYear(), 1_000).append('-');
    digits(to, day.getMonthValue(), 10).append('-');
    digits(to, day.getDayOfMonth(), 10).append('T');
    digits(to, ms / 3_600_000, 10).append(':');
    digits(to, ms / 60_000 % 60, 10).append(':');
    digits(to, ms / 1_000 % 60, 10).append('.');
    return digits(to, ms % 1_000, 100).append('Z');
  }

  private static StringBuilder digits(StringBuilder to, int value, int highest) {
    for (int place = highest; place > 0; place /= 10) {
      to.append((char) ('0' + value / place % 10));
    }
    return to;
  }

  /** Parses a time to epoch milliseconds; empty if it has another format or is before 1970. */
  public static OptionalLong parse(String text) {
    if (!FORM.matcher(text).matches()) {
      return OptionalLong.empty();
    }
    try {
      long epochMs = Instant.parse(text).toEpochMilli();
      return epochMs > 0 ? OptionalLong.of(epochMs) : OptionalLong.empty();
    } catch (DateTimeException noSuchDay) {
      return OptionalLong.empty();
    }
  }
}
