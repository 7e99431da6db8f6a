package io.sluice.bench;

import java.util.Arrays;
import java.util.Locale;

/** The rows of the table, each with its goal. */
enum Row {
  REFUSALS("1", "refusals per second once sold out / bare POST per second", 0.90, true),
  GRANTS("2", "durable grants per second / bare POST per second", 0.40, true),
  DRAIN("3", "orders booked per second from a backlog / the same rows inserted bare", 0.80, true),
  ONE_BY_ONE(
      "4", "ours / one EVALSHA, one record and one transaction per order: grants", 1.3, true),
  LATENCY(
      "5", "p99 of durable grants at half of the highest rate / p99 of the bare server", 5, false),
  SKUS("6", "grants per second over 10,000 SKUs / over one SKU", 0.80, true),
  HELD("7", "grants per second with 1,000,000 PENDING orders / with none", 0.90, true);

  private final String number;
  private final String title;
  private final double goal;
  private final boolean atLeast;

  Row(String number, String title, double goal, boolean atLeast) {
    this.number = number;
    this.title = title;
    this.goal = goal;
    this.atLeast = atLeast;
  }

  static Row named(String name) {
    return Arrays.stream(values())
        .filter(row -> row.word().equals(name.trim()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Expected a row, but got " + name));
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  String number() {
    return number;
  }

  String title() {
    return title;
  }

  String goal() {
    return (atLeast ? "at least " : "at most ") + goal;
  }

  boolean isReached(double median) {
    return atLeast ? median >= goal : median <= goal;
  }
}
