package io.sluice.bench.chart;

import io.sluice.bench.chart.Bar.Tone;
import io.sluice.bench.chart.KeptReport.Ratio;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Two figures of a row that are shown side by side: where the report has them, and their words. */
enum Comparison {
  GRANTS(
      Kind.ANSWER,
      new Place("2", "durable grants/s", "bare POST/s"),
      new Words("durable grants", "bare server beside grants", "durable grants / bare server")),
  REFUSALS(
      Kind.ANSWER,
      new Place("1", "refusals/s", "bare POST/s"),
      new Words("refusals", "bare server beside refusals", "refusals / bare server")),
  BACKLOG(
      Kind.BOOKING,
      new Place("3", "booked/s, draining", "bare inserts/s"),
      new Words(
          "bookings from a backlog",
          "the same rows inserted bare",
          "bookings / the same rows bare")),
  BACKLOG_OF_A_SERVICE(
      Kind.ALONE,
      new Place("3", "booked/s, from a backlog", ""),
      new Words("bookings from a backlog", "", "")),
  GRANTS_IN_BATCHES(
      Kind.ANSWER,
      new Place("4", "ours: grants/s", "one by one: grants/s"),
      new Words("grants in batches", "grants one by one", "grants in batches / one by one")),
  BOOKINGS_IN_BATCHES(
      Kind.BOOKING,
      new Place("4", "ours: booked/s", "one by one: booked/s"),
      new Words("bookings in batches", "bookings one by one", "bookings in batches / one by one")),
  LATENCY(
      Kind.ANSWER,
      new Place("5", "grants p99 us", "bare p99 us"),
      new Words("99 in 100 grants", "99 in 100 bare answers", "wait for grants / bare answers")),
  MANY_SKUS(
      Kind.ANSWER,
      new Place("6", "many SKUs/s", "one SKU/s"),
      new Words("grants over 10,000 SKUs", "grants over one SKU", "grants, 10,000 SKUs / one SKU")),
  GRANTS_BESIDE_PENDING(
      Kind.ANSWER,
      new Place("7", "grants/s, many held", "grants/s, none held"),
      new Words(
          "grants with 1,000,000 pending",
          "grants with none pending",
          "grants, 1,000,000 pending / none")),
  BOOKINGS_BESIDE_PENDING(
      Kind.BOOKING,
      new Place("7", "booked/s, many held", "booked/s, none held"),
      new Words(
          "bookings with 1,000,000 pending",
          "bookings with none pending",
          "bookings, 1,000,000 pending / none")),
  GRANTS_IN_OVERLOAD(
      Kind.GATE,
      new Place("8", "grants/s at 3 times", "grants/s, the most"),
      new Words("grants at 3 times the load", "grants at the best load", "")),
  REFUSALS_WITH_TOKENS(
      Kind.GATE,
      new Place("9", "refusals/s, tokens", "refusals/s, header"),
      new Words("refusals by token", "refusals by header", "")),
  GRANTS_WITH_TOKENS(
      Kind.GATE,
      new Place("9", "grants/s, tokens", "grants/s, header"),
      new Words("grants by token", "grants by header", "")),
  GRANTS_TRACED(
      Kind.ANSWER,
      new Place("15", "grants/s, traced", "grants/s, not traced"),
      new Words("grants with traces", "grants without traces", "grants, traced / not traced")),
  LIVES(Kind.ALONE, new Place("11", "whole lives/s", ""), new Words("whole lives", "", "")),
  INTO_LARGE_LEDGER(
      Kind.BOOKING,
      new Place("12", "booked/s, large ledger", "booked/s, empty ledger"),
      new Words(
          "bookings into a large ledger",
          "bookings into an empty ledger",
          "bookings, large ledger / empty")),
  RECOVERY(
      Kind.OUTAGE,
      new Place("13", "large SKU open again s", "live SKU open again s"),
      new Words("reopening the large SKU", "reopening the live SKU", "")),
  GRANTS_AT_FULL_LOAD(
      Kind.WITHOUT_GOAL,
      new Place("2", "grants p99 us", "bare p99 us"),
      new Words("durable grants", "bare server beside grants", "")),
  REFUSALS_AT_FULL_LOAD(
      Kind.WITHOUT_GOAL,
      new Place("1", "refusals p99 us", "bare p99 us"),
      new Words("refusals", "bare server beside refusals", "")),
  MEDIAN_LATENCY(
      Kind.WITHOUT_GOAL,
      new Place("5", "grants p50 us", "bare p50 us"),
      new Words("half of the grants", "half of the bare answers", ""));

  /** What its goal is about. */
  enum Kind {
    ANSWER,
    BOOKING,
    GATE,
    OUTAGE,
    /** Its ratio is not that of two figures. */
    ALONE,
    WITHOUT_GOAL
  }

  /** The number of the row, the figure that is compared, and the one that it is compared with. */
  record Place(String number, String ours, String other) {}

  /** How a chart calls the two, and their ratio. */
  record Words(String ours, String other, String ratio) {}

  private static final Set<Comparison> SECONDS =
      EnumSet.of(BOOKINGS_IN_BATCHES, BOOKINGS_BESIDE_PENDING, GRANTS_WITH_TOKENS);
  private static final String MICROSECONDS = " us";
  private static final String SECONDS_UNIT = " s";

  private final Kind kind;
  private final Place place;
  private final Words words;

  Comparison(Kind kind, Place place, Words words) {
    this.kind = kind;
    this.place = place;
    this.words = words;
  }

  Kind kind() {
    return kind;
  }

  Words words() {
    return words;
  }

  /** This one or nothing: a ratio beside the baseline is another one. */
  Optional<Ratio> ratioIn(KeptReport report) {
    return report.ratios().stream()
        .filter(ratio -> !ratio.isBesideBaseline())
        .filter(this::isOf)
        .skip(SECONDS.contains(this) ? 1 : 0)
        .findFirst();
  }

  /** It is of the same row. */
  boolean isOf(Ratio ratio) {
    return kind != Kind.WITHOUT_GOAL && ratio.number().equals(place.number());
  }

  /**
   * The bars of the two, the other first; none where the report lacks one of them.
   *
   * @param build what the figures of that build begin with
   */
  List<Bar> bars(KeptReport report, String build) {
    Optional<Span> ours = report.figure(place.number(), build + place.ours());
    Optional<Span> other = report.figure(place.number(), build + place.other());
    if (ours.isEmpty() || other.isEmpty()) {
      return List.of();
    }
    return List.of(
        bar(words.other(), Tone.OTHER, other.get()), bar(words.ours(), Tone.OURS, ours.get()));
  }

  /** The bar of a figure that is compared with nothing. */
  Optional<Bar> alone(KeptReport report, String build) {
    return report
        .figure(place.number(), build + place.ours())
        .map(ours -> bar(words.ours(), Tone.OURS, ours));
  }

  private Bar bar(String name, Tone tone, Span value) {
    if (place.ours().endsWith(MICROSECONDS)) {
      return new Bar(name, tone, Unit.MILLISECONDS, value.times(1 / 1e3));
    }
    boolean isTime = place.ours().endsWith(SECONDS_UNIT);
    return new Bar(name, tone, isTime ? Unit.SECONDS : Unit.PER_SECOND, value);
  }
}
