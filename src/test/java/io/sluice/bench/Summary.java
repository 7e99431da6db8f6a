package io.sluice.bench;

import static io.sluice.bench.Report.number;

import io.sluice.bench.Report.Line;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report on one screen: a line for each row, then what fell and what is not reached. */
record Summary(Report report) {
  private static final String FORMAT = "  %-13s %9s %6s %15s %17s  %-34s %s";
  private static final int NAMED_MAX = 8;
  private static final List<Figure> PARTS =
      List.of(Figure.SERVICE, Figure.REDIS, Figure.KAFKA, Figure.DATABASE);
  private static final List<Figure> REQUESTS =
      List.of(Figure.RECORDS, Figure.STATEMENTS, Figure.SCRIPTS);

  /** Figures without a column of their own. */
  private static final List<Figure> OTHERS =
      List.of(Figure.BOOKED, Figure.IDLE, Figure.OPEN, Figure.RELEASE_P50, Figure.RELEASE_P99);

  /** Of two builds, what is said of each row. */
  private static final List<Figure> OF_BUILDS =
      List.of(
          Figure.RATE, Figure.ALL, Figure.YES_P50, Figure.YES_P99, Figure.PAY_P50, Figure.PAY_P99);

  /** {@code kept}: the text of the report that this one is compared with, and its name. */
  List<String> text(Optional<String> kept, String name) {
    List<String> text = new ArrayList<>();
    text.add(
        FORMAT.formatted(
            "",
            "a second",
            "ratio",
            "yes ms p50/p99",
            "payment p50/p99",
            "us: service + Redis + Kafka + SQL",
            "records/SQL/scripts an order"));
    report.byRow().forEach((row, figures) -> addRow(row, figures, text));
    text.add("");
    text.add(
        named("not reached", report.lines().stream().filter(Line::isMissed).map(Summary::missed)));
    text.add(
        kept.map(report -> named("fell against " + name, fallen(Report.parse(report))))
            .orElse("  nothing to compare with: there is no " + name));
    return text;
  }

  private static void addRow(String row, Map<String, Spread> figures, List<String> text) {
    String parts = joined(PARTS, " + ", figures);
    String others =
        OTHERS.stream()
            .filter(figure -> figures.containsKey(figure.words()))
            .map(figure -> figure.words() + " " + cell(figure, figures))
            .collect(Collectors.joining(", "));
    String all = cell(Figure.ALL, figures);
    text.add(
        FORMAT
            .formatted(
                row,
                cell(Figure.RATE, figures),
                cell(Figure.RATIO, figures),
                joined(List.of(Figure.YES_P50, Figure.YES_P99), " / ", figures),
                joined(List.of(Figure.PAY_P50, Figure.PAY_P99), " / ", figures),
                all.isEmpty() ? others : all + " = " + parts,
                joined(REQUESTS, " / ", figures) + (all.isEmpty() ? "" : "  " + others))
            .stripTrailing());
    String ofBuilds =
        OF_BUILDS.stream()
            .filter(figure -> figures.containsKey(figure.words() + Report.OF_BUILDS))
            .map(figure -> ofBuilds(figure, figures.get(figure.words() + Report.OF_BUILDS)))
            .collect(Collectors.joining(", "));
    if (!ofBuilds.isEmpty()) {
      text.add("    of the older build: " + ofBuilds);
    }
  }

  private static String ofBuilds(Figure figure, Spread ratio) {
    return "%s %s (%s to %s)"
        .formatted(
            figure.words(), number(ratio.median()), number(ratio.min()), number(ratio.max()));
  }

  private static String joined(List<Figure> of, String by, Map<String, Spread> figures) {
    return of.stream()
        .map(figure -> cell(figure, figures))
        .filter(cell -> !cell.isEmpty())
        .collect(Collectors.joining(by));
  }

  private static String cell(Figure figure, Map<String, Spread> figures) {
    Spread spread = figures.get(figure.words());
    return spread == null ? "" : number(spread.median());
  }

  private static String missed(Line line) {
    return "%s %s %s (%s)"
        .formatted(
            line.row(),
            line.figure(),
            number(line.spread().median()),
            line.goal().orElseThrow().text());
  }

  /** The worst first. */
  private Stream<String> fallen(Map<String, Spread> kept) {
    record Fall(Line line, Figure figure, Spread before) {
      double loss() {
        return figure.loss(before.median(), line.spread().median());
      }

      String text() {
        return "%s %s %s, was %s"
            .formatted(
                line.row(),
                figure.words(),
                number(line.spread().median()),
                number(before.median()));
      }
    }
    return report.lines().stream()
        .filter(line -> kept.containsKey(Goals.key(line.row(), line.figure())))
        .flatMap(
            line ->
                Figure.named(line.figure())
                    .map(
                        figure ->
                            new Fall(line, figure, kept.get(Goals.key(line.row(), line.figure()))))
                    .stream())
        .filter(fall -> fall.figure().hasFallen(fall.before(), fall.line().spread()))
        .sorted(Comparator.comparingDouble(Fall::loss).reversed())
        .map(Fall::text);
  }

  private static String named(String what, Stream<String> names) {
    List<String> all = names.toList();
    String more = all.size() > NAMED_MAX ? "; and %d more".formatted(all.size() - NAMED_MAX) : "";
    return "  %s: %s%s"
        .formatted(
            what,
            all.isEmpty()
                ? "nothing"
                : all.stream().limit(NAMED_MAX).collect(Collectors.joining("; ")),
            more);
  }
}
