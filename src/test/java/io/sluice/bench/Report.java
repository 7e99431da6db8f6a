package io.sluice.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What was measured, as a table that a later report is compared with. */
final class Report {
  static final String OLDER = "baseline: ";
  static final String OF_BUILDS = ", this / older build";
  private static final int CELLS = 7;

  /** A figure of a row; of two builds min and max are the limits of 95 % confidence. */
  record Line(String row, String figure, Spread spread, Optional<Goal> goal) {
    boolean isMissed() {
      return goal.isPresent() && !goal.get().isReached(spread.median());
    }
  }

  private final String setting;
  private final Goals goals;
  private final List<Line> lines = new ArrayList<>();
  private final Map<String, List<String>> notes = new LinkedHashMap<>();

  Report(String setting, Goals goals) {
    this.setting = setting;
    this.goals = goals;
  }

  /** {@code before}: the same row of an older build, run by run. */
  void add(Row row, Result now, @Nullable Result before) {
    now.figures().forEach((figure, values) -> add(row, figure.words(), Spread.of(values)));
    List<String> said = notes.computeIfAbsent(row.word(), any -> new ArrayList<>());
    said.addAll(now.notes());
    if (before != null) {
      before.notes().forEach(note -> said.add(OLDER + note));
      before
          .figures()
          .forEach((figure, values) -> add(row, OLDER + figure.words(), Spread.of(values)));
      now.figures().forEach((figure, values) -> addRatio(row, figure, values, before));
    }
  }

  private void addRatio(Row row, Figure figure, List<Double> values, Result before) {
    List<Double> older = before.figures().getOrDefault(figure, List.of());
    List<Double> ratios =
        IntStream.range(0, Math.min(values.size(), older.size()))
            .filter(run -> values.get(run) > 0 && older.get(run) > 0)
            .mapToObj(run -> values.get(run) / older.get(run))
            .toList();
    if (!ratios.isEmpty()) {
      add(row, figure.words() + OF_BUILDS, Spread.ofRatios(ratios));
    }
  }

  private void add(Row row, String figure, Spread spread) {
    lines.add(new Line(row.word(), figure, spread, goals.of(row.word(), figure)));
  }

  List<Line> lines() {
    return lines;
  }

  List<String> notes(Row row) {
    return notes.getOrDefault(row.word(), List.of());
  }

  /** By row and figure, in the order in which they were measured. */
  Map<String, Map<String, Spread>> byRow() {
    return lines.stream()
        .collect(
            Collectors.groupingBy(
                Line::row,
                LinkedHashMap::new,
                Collectors.toMap(
                    Line::figure, Line::spread, (one, other) -> one, LinkedHashMap::new)));
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# Sluice, measured\n\n").append(setting).append("\n\n");
    text.append("Of two builds min and max are the limits of 95 % confidence.\n\n");
    text.append("| row | figure | median | min | max | goal | |\n|---|---|---|---|---|---|---|\n");
    for (Line line : lines) {
      Spread spread = line.spread();
      text.append(
          "| %s | %s | %s | %s | %s | %s | %s |%n"
              .formatted(
                  line.row(),
                  line.figure(),
                  number(spread.median()),
                  number(spread.min()),
                  number(spread.max()),
                  line.goal().map(Goal::text).orElse(""),
                  line.goal().map(goal -> line.isMissed() ? "**missed**" : "reached").orElse("")));
    }
    notes.forEach(
        (row, said) -> {
          text.append("\n## ").append(row).append("\n\n");
          said.forEach(note -> text.append("- ").append(note).append('\n'));
        });
    return text.toString();
  }

  /** The figures of a report of this build alone, by {@link Goals#key}. */
  static Map<String, Spread> parse(String markdown) {
    Map<String, Spread> figures = new LinkedHashMap<>();
    markdown
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.substring(1).split("\\|", -1)).map(String::strip).toList())
        .filter(cells -> cells.size() == CELLS + 1 && Figure.named(cells.get(1)).isPresent())
        .forEach(
            cells ->
                figures.put(
                    Goals.key(cells.get(0), cells.get(1)),
                    new Spread(value(cells.get(2)), value(cells.get(3)), value(cells.get(4)))));
    return figures;
  }

  private static double value(String cell) {
    return Double.parseDouble(cell.replace(",", ""));
  }

  /** Three digits, or all of those before the point. */
  static String number(double value) {
    if (Double.isInfinite(value)) {
      return "any";
    }
    String format = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
