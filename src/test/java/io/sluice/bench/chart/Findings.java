package io.sluice.bench.chart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The charts of a report by the names of their files, as far as it has the figures. */
final class Findings {
  static final String RATIO_OF_RUNS = "A ratio is the median of those within each run.";
  static final String FULL_LOAD = "Each connection asks again as soon as it is answered.";

  /** Measured while nobody orders. */
  private static final Set<String> WITHOUT_LOAD =
      Set.of(
          "backlog",
          "goals-booking",
          "baseline-backlog-of-a-service",
          "large-ledger",
          "recovery",
          "baseline-recovery");

  private final KeptReport report;
  private final Map<String, Chart> charts = new LinkedHashMap<>();

  private Findings(KeptReport report) {
    this.report = report;
  }

  static Map<String, Chart> of(KeptReport report) {
    Findings findings = new Findings(report);
    if (report.isBesideBaseline()) {
      new BaselineFindings(report, findings).add();
    } else {
      new RowFindings(report, findings).add();
      new LatencyFindings(report, findings).add();
    }
    new ProcessorFindings(report, findings).add();
    new SchemeFindings(report, findings).add();
    return findings.charts;
  }

  /** One chart. What its lines are and the report's setting follow the explanation. */
  void add(String name, String title, String explanation, int inGroupsOf, List<Bar> bars) {
    boolean isOfRuns = bars.stream().anyMatch(bar -> bar.value().isWide());
    String lines =
        isOfRuns ? "Medians of " + report.runs() + ", lines from smallest to largest. " : "";
    String load = WITHOUT_LOAD.contains(name) ? "" : report.connections();
    List<String> subtitle =
        Stream.of(explanation, lines + load + report.processorCount())
            .filter(line -> !line.isBlank())
            .toList();
    String file = report.isOnMysql() ? name + "-mysql.svg" : name + ".svg";
    String where = report.isOnMysql() ? ", on MySQL" : "";
    charts.put(file, new Chart(sentence(title) + where, subtitle, inGroupsOf, bars));
  }

  private static String sentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
