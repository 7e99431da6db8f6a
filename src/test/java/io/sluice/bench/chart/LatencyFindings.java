package io.sluice.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** How long buyers wait. Half of them and 99 in 100 of them have an axis each. */
record LatencyFindings(KeptReport report, Findings findings) {
  private static final String PACED =
      "Requests arrive at half of the highest rate; a wait begins when its request was due.";

  void add() {
    atFullLoad();
    Comparison.LATENCY
        .ratioIn(report)
        .ifPresent(
            ratio ->
                paced(
                    "latency-99-in-100",
                    Comparison.LATENCY,
                    ", " + ratio.ofWhat() + " the wait for bare answers"));
    paced(
        "latency-half",
        Comparison.MEDIAN_LATENCY,
        Comparison.MEDIAN_LATENCY.bars(report, "").stream()
            .limit(1)
            .map(bare -> ", " + bare.name() + " within " + bare.number())
            .collect(Collectors.joining()));
  }

  private void atFullLoad() {
    List<String> clauses = new ArrayList<>();
    List<Bar> bars = new ArrayList<>();
    for (Comparison comparison :
        List.of(Comparison.GRANTS_AT_FULL_LOAD, Comparison.REFUSALS_AT_FULL_LOAD)) {
      List<Bar> pair = comparison.bars(report, "");
      if (!pair.isEmpty()) {
        Bar ours = pair.get(1);
        clauses.add(ours.name() + " within " + (clauses.isEmpty() ? ours.label() : ours.number()));
        bars.addAll(pair);
      }
    }
    if (!bars.isEmpty()) {
      findings.add(
          "latency-full-load",
          "at full load 99 in 100 buyers hear of " + String.join(", of ", clauses),
          Findings.FULL_LOAD,
          2,
          bars);
    }
  }

  private void paced(String name, Comparison comparison, String comparedWith) {
    List<Bar> pair = comparison.bars(report, "");
    if (!pair.isEmpty()) {
      String subject = comparison.words().ours();
      String within = pair.get(1).label();
      findings.add(name, subject + " are answered within " + within + comparedWith, PACED, 2, pair);
    }
  }
}
