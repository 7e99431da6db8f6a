package io.sluice.bench.chart;

import io.sluice.bench.Goal;
import io.sluice.bench.chart.Bar.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the text of a report says. Lines that it does not know are for people. */
final class KeptReport {
  /** In the first table: what a row's ratio is to reach, and what it came to. */
  record Ratio(String number, String title, Goal goal, String text, Span span, boolean isReached) {
    boolean isBesideBaseline() {
      return title.startsWith(BESIDE);
    }

    /** As part of a sentence: "0.43 of", "1.39 times". */
    String ofWhat() {
      return text + (span.median() < 1 ? " of" : " times");
    }

    /** At the end of a sentence. */
    String atWhat() {
      return text + (span.median() < 1 ? "" : " times");
    }
  }

  /** Processor time an order, in microseconds. */
  record Processors(String section, String what, double totalUs, List<Part> parts) {}

  /** Its grants, and the units and yeses that a kill lost. */
  record Scheme(String name, double grantsPerS, long lost) {}

  private static final String BESIDE = "beside the baseline";
  private static final Pattern PROCESSORS =
      Pattern.compile("(.+): ([\\d.]+) us of CPU time per order \\((.+)\\)");
  private static final Pattern PART = Pattern.compile("(\\w+) ([\\d.]+)");
  private static final Pattern SETTING = Pattern.compile("\\d+ processors for everything");
  private static final Pattern CONNECTIONS = Pattern.compile("\\d+ connections");
  private static final Pattern RUNS = Pattern.compile("\\d+ runs");

  private static final String MYSQL = "MySQL";
  private static final String MARIA_DB = "MariaDB";

  private static final int RATIO_CELLS = 7;
  private static final int FIGURE_CELLS = 4;
  private static final int SCHEME_CELLS = 9;

  private final List<Ratio> ratios = new ArrayList<>();
  private final Map<String, Map<String, Span>> figures = new LinkedHashMap<>();
  private final List<Processors> processors = new ArrayList<>();
  private final List<Scheme> schemes = new ArrayList<>();
  private final String connections;
  private final String processorCount;
  private final String runs;
  private final boolean isOnMysql;
  private String section = "";

  KeptReport(String text) {
    String line = text.lines().filter(at -> SETTING.matcher(at).find()).findFirst().orElse("");
    connections = found(CONNECTIONS, line).map(found -> found + ", ").orElse("");
    processorCount = found(SETTING, line).map(found -> found + ".").orElse("");
    runs = found(RUNS, line).orElse("");
    isOnMysql = line.contains(MYSQL);
    text.lines().forEach(this::read);
  }

  List<Ratio> ratios() {
    return ratios;
  }

  /** Then all of its rows are. */
  boolean isBesideBaseline() {
    return ratios.stream().anyMatch(Ratio::isBesideBaseline);
  }

  /** The figure of a row, where the report has both. */
  Optional<Span> figure(String number, String name) {
    return ratios.stream()
        .filter(ratio -> ratio.number().equals(number))
        .map(ratio -> figures.getOrDefault(ratio.title(), Map.of()).get(name))
        .flatMap(Stream::ofNullable)
        .findFirst();
  }

  List<Processors> processors() {
    return processors;
  }

  List<Scheme> schemes() {
    return schemes;
  }

  /** How many, as the beginning of a sentence. */
  String connections() {
    return connections;
  }

  /** How many there are, as the end of a sentence. */
  String processorCount() {
    return processorCount;
  }

  /** Else on MariaDB, as most reports are. */
  boolean isOnMysql() {
    return isOnMysql;
  }

  /** How often each row was measured. */
  String runs() {
    return runs;
  }

  private void read(String line) {
    if (line.startsWith("## ")) {
      section = line.substring(3);
    } else if (line.startsWith("| ")) {
      readCells(Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList());
    } else {
      readProcessors(line);
    }
  }

  private void readCells(List<String> cells) {
    if (cells.get(cells.size() - 1).endsWith("reached") && cells.size() == RATIO_CELLS) {
      ratios.add(
          new Ratio(
              cells.get(0),
              cells.get(1),
              Goal.parse(cells.get(2)),
              cells.get(3).replace("*", ""),
              span(cells.subList(3, 6)),
              cells.get(6).equals("reached")));
    } else if (cells.size() == FIGURE_CELLS && !cells.get(0).equals("figure")) {
      figures
          .computeIfAbsent(section, any -> new LinkedHashMap<>())
          .put(cells.get(0), span(cells.subList(1, FIGURE_CELLS)));
    } else if (cells.size() == SCHEME_CELLS && !cells.get(0).equals("scheme")) {
      long lost = (long) (number(cells.get(6)) + number(cells.get(7)));
      schemes.add(new Scheme(cells.get(0), number(cells.get(1)), lost));
    }
  }

  private void readProcessors(String line) {
    Matcher found = PROCESSORS.matcher(line);
    if (found.matches()) {
      List<Part> parts =
          PART.matcher(found.group(3))
              .results()
              .map(part -> new Part(named(part.group(1)), number(part.group(2))))
              .toList();
      processors.add(new Processors(section, found.group(1), number(found.group(2)), parts));
    }
  }

  /** The notes call it MySQL, whichever of the two it is. */
  private String named(String process) {
    return process.equals(MYSQL) && !isOnMysql ? MARIA_DB : process;
  }

  /** Smallest and largest may have been lost. */
  private static Span span(List<String> cells) {
    double median = number(cells.get(0));
    return cells.get(1).isEmpty()
        ? Span.of(median)
        : new Span(median, number(cells.get(1)), number(cells.get(2)));
  }

  private static double number(String cell) {
    return Double.parseDouble(cell.replace("*", "").replace(",", ""));
  }

  private static Optional<String> found(Pattern pattern, String line) {
    return pattern.matcher(line).results().map(MatchResult::group).findFirst();
  }
}
