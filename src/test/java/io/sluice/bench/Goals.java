package io.sluice.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the figures are to reach: the table of {@code docs/benchmarks/goals.md}. */
record Goals(Map<String, Goal> byFigure) {
  static final Path FILE = Path.of("docs", "benchmarks", "goals.md");

  private static final int CELLS = 4;

  static Goals read(boolean isMysql) {
    try {
      return parse(Files.readString(FILE), isMysql);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lines of row, figure, goal, and the goal on MySQL if it is another one. */
  static Goals parse(String text, boolean isMysql) {
    Map<String, Goal> goals = new LinkedHashMap<>();
    text.lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList())
        .forEach(cells -> goals.put(key(cells), goal(cells, isMysql)));
    return new Goals(goals);
  }

  private static String key(List<String> cells) {
    return key(cells.get(0).replace("`", ""), cells.get(1));
  }

  private static Goal goal(List<String> cells, boolean isMysql) {
    boolean isOther = cells.size() == CELLS && !cells.get(CELLS - 1).isEmpty();
    return Goal.parse(cells.get(isMysql && isOther ? CELLS - 1 : CELLS - 2));
  }

  static String key(String row, String figure) {
    return row + ": " + figure;
  }

  Optional<Goal> of(String row, String figure) {
    return Optional.ofNullable(byFigure.get(key(row, figure)));
  }
}
