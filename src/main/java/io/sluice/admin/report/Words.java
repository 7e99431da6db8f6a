package io.sluice.admin.report;

import io.sluice.ledger.History;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalLong;

/** Numbers and times in words. Times are in UTC, as the page says. */
final class Words {
  private static final int S_PER_MIN = 60;
  private static final int S_PER_HOUR = 3_600;
  private static final int S_PER_DAY = 86_400;
  private static final int MS_PER_S = 1_000;

  private Words() {}

  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String counted(long value, String one, String many) {
    return number(value) + " " + (value == 1 ? one : many);
  }

  /** A part in percent; never 100 if it is not the whole, nor 0 if it is something. */
  static String percent(long part, long whole) {
    if (whole == 0) {
      return "0 %";
    }
    long percent = Math.round(100.0 * part / whole);
    if (part < whole && percent == 100) {
      percent = 99;
    }
    return part > 0 && percent == 0 ? "under 1 %" : percent + " %";
  }

  /** A number, and its part of the whole. */
  static String labeled(long part, long whole) {
    return number(part) + " (" + percent(part, whole) + ")";
  }

  static String date(long ms) {
    return format("yyyy-MM-dd HH:mm", ms);
  }

  static String dateAndSeconds(long ms) {
    return format("yyyy-MM-dd HH:mm:ss", ms);
  }

  static String format(String pattern, long ms) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(Instant.ofEpochMilli(ms));
  }

  /** The length of a time, as in {@code 10 s} or {@code 5 min}. */
  static String length(long ms) {
    long s = ms / MS_PER_S;
    if (s % S_PER_DAY == 0) {
      return s / S_PER_DAY + " d";
    }
    if (s % S_PER_HOUR == 0) {
      return s / S_PER_HOUR + " h";
    }
    return s % S_PER_MIN == 0 ? s / S_PER_MIN + " min" : s + " s";
  }

  /** The time within which so many of a hundred grants were durable. */
  static String within(GrantTimes times, int percent) {
    OptionalLong ms = times.percentile(percent);
    return ms.isPresent() ? number(ms.getAsLong()) + " ms" : "over 2 s";
  }

  /** The times from grant to payment that are counted together. */
  static String wait(int number) {
    int last = History.WAITS_MS.size();
    if (number == 0) {
      return "under " + length(History.WAITS_MS.get(0));
    }
    String from = length(History.WAITS_MS.get(number - 1));
    return number == last
        ? from + " or more"
        : from + " to " + length(History.WAITS_MS.get(number));
  }

  /** The meaning of a refusal to a shop; its name if that is not known. */
  static String refusal(String name) {
    return switch (name) {
      case "sold-out" -> "sold out";
      case "limit-reached" -> "buyer's limit reached";
      case "not-open" -> "not open";
      case "busy" -> "busy, retry soon";
      case "unavailable" -> "outcome unknown";
      case "ticket-required" -> "no ticket";
      case "too-early" -> "ticket too early";
      case "key-mismatch" -> "key of another order";
      case "order-ended" -> "order had ended";
      default -> name;
    };
  }
}
