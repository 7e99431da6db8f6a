package io.sluice.bench.chart;

import io.sluice.bench.Goal;
import io.sluice.bench.chart.Bar.Tone;
import io.sluice.bench.chart.Comparison.Kind;
import io.sluice.bench.chart.KeptReport.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How fast each row is beside what it is compared with, and how far it is from its goal. */
record RowFindings(KeptReport report, Findings findings) {
  /** More of them are counted, not named. */
  private static final int MISSES_NAMED_MAX = 2;

  void add() {
    rates("throughput", "a server that does nothing", Comparison.GRANTS, Comparison.REFUSALS);
    rates("backlog", "the same rows inserted bare", Comparison.BACKLOG);
    rates(
        "in-batches",
        "one order at a time",
        Comparison.GRANTS_IN_BATCHES,
        Comparison.BOOKINGS_IN_BATCHES);
    rates("many-skus", "grants over one SKU", Comparison.MANY_SKUS);
    rates(
        "pending",
        "those with none",
        Comparison.GRANTS_BESIDE_PENDING,
        Comparison.BOOKINGS_BESIDE_PENDING);
    rates("overload", "those at the best load", Comparison.GRANTS_IN_OVERLOAD);
    rates(
        "tokens",
        "those by header",
        Comparison.REFUSALS_WITH_TOKENS,
        Comparison.GRANTS_WITH_TOKENS);
    rates("tracing", "those without", Comparison.GRANTS_TRACED);
    rates("large-ledger", "those into an empty one", Comparison.INTO_LARGE_LEDGER);
    lives();
    recovery();
    goals("goals-answers", "Answering buyers", Kind.ANSWER);
    goals("goals-booking", "Booking", Kind.BOOKING);
  }

  private void rates(String name, String reference, Comparison... comparisons) {
    List<String> clauses = new ArrayList<>();
    List<Bar> bars = new ArrayList<>();
    for (Comparison comparison : comparisons) {
      Optional<Ratio> ratio = comparison.ratioIn(report);
      List<Bar> pair = comparison.bars(report, "");
      if (ratio.isPresent() && !pair.isEmpty()) {
        String subject = comparison.words().ours();
        clauses.add(
            clauses.isEmpty()
                ? subject + " run at " + ratio.get().ofWhat() + " " + reference
                : subject.split(" ")[0] + " at " + ratio.get().atWhat());
        bars.addAll(pair);
      }
    }
    if (!bars.isEmpty()) {
      findings.add(name, String.join(", ", clauses), Findings.RATIO_OF_RUNS, 2, bars);
    }
  }

  private void lives() {
    Comparison.LIVES
        .alone(report, "")
        .ifPresent(
            lives ->
                findings.add(
                    "lives",
                    lives.number() + " whole lives a second are held",
                    "Granted, booked, confirmed or timed out, told, units back.",
                    1,
                    List.of(lives)));
  }

  private void recovery() {
    List<Bar> pair = Comparison.RECOVERY.bars(report, "");
    if (!pair.isEmpty()) {
      findings.add(
          "recovery",
          "once Redis was emptied, the live SKU is open after %s, the large one after %s"
              .formatted(pair.get(0).label(), pair.get(1).number()),
          "From when Redis answers again, empty, until an order is granted.",
          2,
          pair);
    }
  }

  private void goals(String name, String subject, Kind kind) {
    List<Bar> bars = new ArrayList<>();
    List<String> misses = new ArrayList<>();
    for (Comparison comparison : Comparison.values()) {
      Optional<Ratio> ratio = comparison.ratioIn(report);
      if (comparison.kind() == kind && ratio.isPresent()) {
        String what = comparison.words().ratio();
        bars.add(shareOfGoal(what, ratio.get()));
        if (!ratio.get().isReached()) {
          misses.add("%s (%s)".formatted(comparison.words().ours(), ratio.get().text()));
        }
      }
    }
    if (bars.size() > 1) {
      findings.add(
          name,
          "%s reaches %d of %d goals%s"
              .formatted(subject, bars.size() - misses.size(), bars.size(), named(misses)),
          "Each ratio as a share of its goal, the broken line; longer is better.",
          1,
          bars);
    }
  }

  private static String named(List<String> misses) {
    if (misses.isEmpty() || misses.size() > MISSES_NAMED_MAX) {
      return "";
    }
    return (misses.size() == 1 ? ", not that of " : ", not those of ")
        + String.join(" and ", misses);
  }

  private static Bar shareOfGoal(String name, Ratio ratio) {
    Goal goal = ratio.goal();
    double ofMin = goal.shareOf(ratio.span().min());
    double ofMax = goal.shareOf(ratio.span().max());
    return new Bar(
        name,
        ratio.isReached() ? Tone.OURS : Tone.SHORT,
        Unit.OF_THE_GOAL,
        new Span(
            goal.shareOf(ratio.span().median()), Math.min(ofMin, ofMax), Math.max(ofMin, ofMax)),
        "%s, goal %s".formatted(ratio.text(), goal.text()),
        List.of());
  }
}
