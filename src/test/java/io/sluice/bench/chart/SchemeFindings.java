package io.sluice.bench.chart;

import io.sluice.bench.chart.Bar.Tone;
import io.sluice.bench.chart.KeptReport.Scheme;
import io.sluice.bench.schemes.SchemeKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How fast Sluice grants beside the other schemes: those on Redis, and those on the database. */
record SchemeFindings(KeptReport report, Findings findings) {
  private static final String SLUICE = "Sluice";
  private static final String ON_DATABASE = "database";

  private static final String SAME_LOAD =
      "The same load for all, on more units than anybody orders; then a kill while it grants.";

  /** Those whose title is long, or to whom a crash may do what this one did not. */
  private static final Map<String, String> SHORT_NAMES =
      Map.of(
          SchemeKind.LUA_ALONE.title(), "Redis alone, nothing durable",
          SchemeKind.QUEUED_ONE_BY_ONE.title(), "Redis and a queue, a crash loses units",
          SchemeKind.DECREMENT_AND_MARK.title(), "DECR and SETNX",
          SchemeKind.INCREMENT_TO_CEILING.title(), "INCR up to a ceiling");

  void add() {
    Optional<Scheme> sluice = named(SLUICE);
    if (sluice.isPresent()) {
      besideRedis(sluice.get());
      besideDatabase(sluice.get());
    }
  }

  private void besideRedis(Scheme sluice) {
    List<String> clauses = new ArrayList<>();
    named(SchemeKind.QUEUED_ONE_BY_ONE.title())
        .ifPresent(
            queue ->
                clauses.add("%s of what Redis and a queue do".formatted(ratio(sluice, queue))));
    named(SchemeKind.LUA_ALONE.title())
        .ifPresent(alone -> clauses.add("%s of Redis alone".formatted(ratio(sluice, alone))));
    clauses.add(
        sluice.lost() == 0 ? "and a kill lost nothing" : "and a kill lost " + sluice.lost());
    bars("schemes-on-redis", "Sluice grants " + String.join(", ", clauses), sluice, false);
  }

  private void besideDatabase(Scheme sluice) {
    report.schemes().stream()
        .filter(SchemeFindings::isOnDatabase)
        .max(Comparator.comparingDouble(Scheme::grantsPerS))
        .ifPresent(
            fastest ->
                bars(
                    "schemes-on-the-database",
                    "Sluice grants %s times what the fastest scheme on the database does"
                        .formatted(ratio(sluice, fastest)),
                    sluice,
                    true));
  }

  private void bars(String name, String title, Scheme sluice, boolean onDatabase) {
    List<Bar> bars =
        report.schemes().stream()
            .filter(scheme -> scheme.equals(sluice) || isOnDatabase(scheme) == onDatabase)
            .sorted(Comparator.comparingDouble(Scheme::grantsPerS).reversed())
            .map(scheme -> bar(scheme, scheme.equals(sluice)))
            .toList();
    findings.add(name, title, SAME_LOAD, 1, bars);
  }

  private static Bar bar(Scheme scheme, boolean isSluice) {
    String name = SHORT_NAMES.getOrDefault(scheme.name(), scheme.name());
    return new Bar(
        scheme.lost() > 0 ? "%s, a kill lost %d".formatted(name, scheme.lost()) : name,
        isSluice ? Tone.OURS : Tone.OTHER,
        Unit.PER_SECOND,
        Span.of(scheme.grantsPerS()));
  }

  private Optional<Scheme> named(String name) {
    return report.schemes().stream().filter(scheme -> scheme.name().equals(name)).findFirst();
  }

  private static boolean isOnDatabase(Scheme scheme) {
    return scheme.name().contains(ON_DATABASE);
  }

  private static String ratio(Scheme one, Scheme other) {
    return Unit.ratio(one.grantsPerS() / other.grantsPerS());
  }
}
