package io.sluice.bench;

import io.sluice.bench.row.DirectMeasured;
import io.sluice.bench.row.LargeMeasured;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rows of the table, each with its goal. */
enum Row {
  REFUSALS("1", "refusals per second once sold out / bare POST per second", Goal.atLeast(0.90)),
  GRANTS("2", "durable grants per second / bare POST per second", Goal.atLeast(0.40)),
  DRAIN(
      "3",
      "orders booked per second from a backlog / the same rows inserted bare",
      Goal.atLeast(0.80)),
  ONE_BY_ONE(
      "4",
      "ours / one EVALSHA, one record and one transaction per order: grants",
      Goal.atLeast(1.3),
      "booking, ours / one by one",
      Goal.atLeast(20)),
  LATENCY(
      "5",
      "p99 of durable grants at half of the highest rate / p99 of the bare server",
      Goal.atMost(5)),
  SKUS("6", "grants per second over 10,000 SKUs / over one SKU", Goal.atLeast(0.80)),
  HELD(
      "7",
      "grants per second with 1,000,000 PENDING orders / with none",
      Goal.atLeast(0.90),
      "booking, many / none held",
      Goal.atLeast(0.90)),
  OVERLOAD(
      "8",
      "durable grants per second at three times the highest rate / the most of all loads",
      Goal.atLeast(0.90),
      "p99 of grants, three times / once the highest rate",
      Goal.atMost(2)),
  TOKENS(
      "9",
      "refusals per second, buyers with verified tokens (jwt) / named by the header",
      Goal.atLeast(0.90),
      "grants, with tokens / by the header",
      Goal.atLeast(0.90)),
  IDLE("10", "percent of a processor that the service takes with 10,000 idle SKUs", Goal.atMost(1)),
  LIVES(
      "11",
      "whole lives per second, as many as are held / bare POST per second",
      Goal.atLeast(0.12)),
  LARGE(
      "12",
      "orders booked per second into a ledger of 5,000,000, buffer pool 128 MiB / into an empty one",
      Goal.atLeast(0.70),
      LargeMeasured.OF_THE_SAME_SKU,
      Goal.atLeast(0.70)),
  RECOVERY(
      "13",
      "seconds until a SKU of 1,000,000 orders is open again, once Redis was emptied",
      Goal.atMost(10),
      "time until open, live SKU / large SKU",
      Goal.atMost(1)),
  TIMEOUTS(
      "14",
      "ms until 99 of 100 units are on sale again, 100,000 unpaid orders due within a minute",
      Goal.atMost(250)),
  TRACING("15", "durable grants per second, traced as by default / not traced", Goal.atLeast(0.97)),
  CLUSTER(
      "16",
      "grants of Redis per second, one SKU of 64 buckets, cluster of three primaries / one Redis",
      Goal.atLeast(0.50),
      "10,000 SKUs, cluster / one Redis",
      Goal.atLeast(0.50)),
  CARTS("17", "durable carts of three lines per second / orders of one SKU", Goal.atLeast(0.50)),
  BUCKETS("18", "durable grants per second, one SKU in 64 buckets / in one", Goal.atLeast(0.50)),
  MOVES(
      "19",
      "time to sell 10,000 units of 16 buckets through three of them / of one bucket",
      Goal.atMost(1.5)),
  DIRECT(
      "20",
      "direct orders per second / orders booked per second from the log",
      Goal.atLeast(0.50),
      DirectMeasured.PAST_THE_LOG,
      Goal.atLeast(0.50));

  /** A figure of the row that is a ratio with a goal of its own. */
  record Beside(String figure, Goal goal) {}

  private final String number;
  private final String title;
  private final Goal goal;
  private final @Nullable Beside beside;

  Row(String number, String title, Goal goal) {
    this(number, title, goal, null);
  }

  Row(String number, String title, Goal goal, String besideFigure, Goal besideGoal) {
    this(number, title, goal, new Beside(besideFigure, besideGoal));
  }

  Row(String number, String title, Goal goal, @Nullable Beside beside) {
    this.number = number;
    this.title = title;
    this.goal = goal;
    this.beside = beside;
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

  Goal goal() {
    return goal;
  }

  @Nullable Beside beside() {
    return beside;
  }
}
