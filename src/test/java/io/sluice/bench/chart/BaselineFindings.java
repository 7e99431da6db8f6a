package io.sluice.bench.chart;

import io.sluice.bench.chart.Bar.Tone;
import io.sluice.bench.chart.Comparison.Kind;
import io.sluice.bench.chart.KeptReport.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** This build beside an older one, row by row. */
record BaselineFindings(KeptReport report, Findings findings) {
  /** What its notes and figures begin with. */
  static final String OLDER = "baseline: ";

  private static final String RATIO_OF_BUILDS =
      "Each build beside a reference of its own; the ratio is the median of those within each run.";

  void add() {
    for (Ratio ratio : report.ratios()) {
      Stream.of(Comparison.values())
          .filter(comparison -> comparison.isOf(ratio))
          .filter(comparison -> comparison.kind() != Kind.ALONE)
          .findFirst()
          .ifPresent(comparison -> row(ratio, comparison));
      Stream.of(Comparison.values())
          .filter(comparison -> comparison.isOf(ratio) && comparison.kind() == Kind.ALONE)
          .forEach(comparison -> alone(ratio, comparison));
    }
    latencies();
  }

  private void row(Ratio ratio, Comparison comparison) {
    List<Bar> older = comparison.bars(report, OLDER);
    List<Bar> newer = comparison.bars(report, "");
    if (older.isEmpty() || newer.isEmpty()) {
      return;
    }
    findings.add(
        fileName(comparison),
        title(ratio, comparison, newer.get(0).unit()),
        RATIO_OF_BUILDS,
        2,
        List.of(
            ofOlder(older.get(1)),
            ofThis(newer.get(1)),
            ofOlder(older.get(0)),
            ofThis(newer.get(0))));
  }

  /** Of a figure that has no reference but the older build. */
  private void alone(Ratio ratio, Comparison comparison) {
    Optional<Bar> older = comparison.alone(report, OLDER);
    Optional<Bar> newer = comparison.alone(report, "");
    if (older.isPresent() && newer.isPresent()) {
      findings.add(
          fileName(comparison),
          title(ratio, comparison, newer.get().unit()),
          Findings.RATIO_OF_RUNS,
          2,
          List.of(ofOlder(older.get()), ofThis(newer.get())));
    }
  }

  private static String fileName(Comparison comparison) {
    return "baseline-" + comparison.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String title(Ratio ratio, Comparison comparison, Unit unit) {
    boolean isTime = unit == Unit.MILLISECONDS || unit == Unit.SECONDS;
    String verb = unit == Unit.SECONDS ? " takes " : " take ";
    return comparison.words().ours()
        + (isTime ? verb : " run at ")
        + ratio.ofWhat()
        + (isTime ? " the time of the older build" : " the older build");
  }

  private void latencies() {
    List<String> clauses = new ArrayList<>();
    List<Bar> bars = new ArrayList<>();
    for (Comparison comparison :
        List.of(Comparison.GRANTS_AT_FULL_LOAD, Comparison.REFUSALS_AT_FULL_LOAD)) {
      List<Bar> older = comparison.bars(report, OLDER);
      List<Bar> newer = comparison.bars(report, "");
      if (!older.isEmpty() && !newer.isEmpty()) {
        clauses.add(
            (clauses.isEmpty() ? "%s within %s (older build: %s)" : "%s within %s (%s)")
                .formatted(
                    newer.get(1).name(),
                    clauses.isEmpty() ? newer.get(1).label() : newer.get(1).number(),
                    older.get(1).number()));
        bars.add(ofOlder(older.get(1)));
        bars.add(ofThis(newer.get(1)));
      }
    }
    if (!bars.isEmpty()) {
      findings.add(
          "baseline-latency-full-load",
          "at full load 99 in 100 buyers hear of " + String.join(", of ", clauses),
          Findings.FULL_LOAD,
          2,
          bars);
    }
  }

  private static Bar ofOlder(Bar bar) {
    return new Bar("older build: " + bar.name(), Tone.OTHER, bar.unit(), bar.value());
  }

  private static Bar ofThis(Bar bar) {
    return new Bar("this build: " + bar.name(), bar.tone(), bar.unit(), bar.value());
  }
}
