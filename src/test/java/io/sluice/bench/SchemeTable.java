package io.sluice.bench;

import io.sluice.bench.row.SchemesMeasured.Outcome;
import java.util.List;

/** The comparison of the schemes as a table. */
final class SchemeTable {
  private SchemeTable() {}

  static String markdown(List<Outcome> outcomes) {
    StringBuilder table =
        new StringBuilder(
            """
            | scheme | grants/s | refusals/s | p99 ms | oversold | stranded after a restock \
            | after a kill: units without an order | after a kill: yeses without an order \
            | a crash between steps loses |
            |---|---|---|---|---|---|---|---|---|
            """);
    for (Outcome outcome : outcomes) {
      table.append(
          "| %s | %s | %s | %.1f | %d | %d | %d | %d | %s |%n"
              .formatted(
                  outcome.name(),
                  Report.number(outcome.grantsPerS()),
                  Report.number(outcome.refusalsPerS()),
                  outcome.p99Us() / 1e3,
                  outcome.oversold(),
                  outcome.stranded(),
                  outcome.unitsLost(),
                  outcome.yesesLost(),
                  outcome.loses()));
    }
    return table.toString();
  }
}
