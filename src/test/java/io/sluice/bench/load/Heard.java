package io.sluice.bench.load;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What was answered to a volley: counts, and latencies in microseconds. */
public record Heard(Map<What, Long> counts) {
  /** In lower case, these are the names in the line of a generator. */
  public enum What {
    /** Orders answered 2xx. */
    ACCEPTED,
    /** Orders answered 4xx; from wrk also 5xx, which it does not tell apart. */
    REFUSED,
    /** Orders answered otherwise, or not at all. */
    FAILED,
    /** Orders that arrived while no connection was free, until the end. */
    UNSENT,
    /** Payments answered 200. */
    PAID,
    /** Payments answered 202: their outcome was not known in time. */
    PAY_UNKNOWN,
    /** Payments answered 4xx: the order had ended before. */
    PAY_LATE,
    /** Payments answered otherwise, or not at all. */
    PAY_FAILED,
    /** The duration of the volley. */
    US,
    /** Of all answers to orders, from when the order was due. */
    P50_US,
    P99_US,
    /** Of those that were accepted; wrk does not have them. */
    YES_P50_US,
    YES_P99_US,
    /** Of payments, from when they were due. */
    PAY_P50_US,
    PAY_P99_US;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The first word of the line that reports these numbers. */
  static final String WORD = "heard";

  public Heard {
    counts = Map.copyOf(counts);
  }

  /**
   * Reads {@code accepted=1 refused=2 ...}; what is missing is 0, what it does not know is left.
   */
  static Heard parse(String line) {
    Map<String, Long> fields = new HashMap<>();
    for (String field : line.trim().split(" ")) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], (long) Double.parseDouble(parts[1]));
    }
    Map<What, Long> counts = new EnumMap<>(What.class);
    for (What what : What.values()) {
      counts.put(what, fields.getOrDefault(what.word(), 0L));
    }
    return new Heard(counts);
  }

  String line() {
    return counts.entrySet().stream()
        .map(count -> count.getKey().word() + "=" + count.getValue())
        .sorted()
        .collect(Collectors.joining(" ", WORD + " ", ""));
  }

  public long get(What what) {
    return counts.getOrDefault(what, 0L);
  }

  public long accepted() {
    return get(What.ACCEPTED);
  }

  /** Orders that arrived and were not granted. */
  public long notAccepted() {
    return get(What.REFUSED) + get(What.FAILED) + get(What.UNSENT);
  }

  /** Payments whose order may have timed out instead. */
  public long notPaid() {
    return get(What.PAY_LATE) + get(What.PAY_FAILED);
  }

  public double seconds() {
    return get(What.US) / 1e6;
  }

  /** Answers to orders a second. */
  public double perSecond() {
    return (accepted() + get(What.REFUSED) + get(What.FAILED)) / seconds();
  }

  /** Of yeses; of all answers if the generator does not tell them apart. */
  public double yesMs(What yes, What any) {
    return (get(yes) > 0 ? get(yes) : get(any)) / 1e3;
  }
}
