package io.sluice.bench.chart;

import io.sluice.bench.chart.Bar.Part;
import io.sluice.bench.chart.Bar.Tone;
import io.sluice.bench.chart.KeptReport.Processors;
import io.sluice.bench.chart.KeptReport.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What an order costs the processors, by process. */
record ProcessorFindings(KeptReport report, Findings findings) {
  private static final String BY_PROCESS = "Processor time an order, in microseconds, by process.";
  private static final String GRANTS = "2";
  private static final String MANY_SKUS = "6";
  private static final String LIVES = "11";

  void add() {
    if (report.isBesideBaseline()) {
      besideBaseline("baseline-processor-time", GRANTS, "a durable grant");
      besideBaseline("baseline-processor-time-skus", MANY_SKUS, "a grant over 10,000 SKUs");
      besideBaseline("baseline-processor-time-lives", LIVES, "a whole life");
    } else {
      byRow();
    }
    buildByBuild();
  }

  private void byRow() {
    Optional<Bar> one = bar(GRANTS, "", "a durable grant");
    Optional<Bar> many = bar(MANY_SKUS, "", "a grant over 10,000 SKUs");
    List<Bar> bars = Stream.of(one, many).flatMap(Optional::stream).toList();
    if (!bars.isEmpty()) {
      String title =
          "%s costs %s of processor time".formatted(bars.get(0).name(), bars.get(0).label());
      String second = bars.size() > 1 ? ", over 10,000 SKUs " + bars.get(1).number() : "";
      findings.add("processor-time", title + second, BY_PROCESS, 1, bars);
    }
    bar(LIVES, "", "a whole life")
        .ifPresent(
            life ->
                findings.add(
                    "processor-time-lives",
                    "a whole life costs %s of processor time".formatted(life.label()),
                    BY_PROCESS,
                    1,
                    List.of(life)));
  }

  private void besideBaseline(String name, String row, String what) {
    Optional<Bar> older = bar(row, BaselineFindings.OLDER, "older build: " + what);
    Optional<Bar> newer = bar(row, "", "this build: " + what);
    if (older.isPresent() && newer.isPresent()) {
      findings.add(
          name,
          "%s costs %s of processor time, %s in the older build"
              .formatted(what, newer.get().label(), older.get().number()),
          BY_PROCESS + " The parts are those of the run with the median.",
          1,
          List.of(older.get(), newer.get()));
    }
  }

  /** Notes outside the rows: one a build, the oldest first. */
  private void buildByBuild() {
    List<Processors> builds =
        report.processors().stream()
            .filter(
                processors ->
                    report.ratios().stream()
                        .noneMatch(ratio -> ratio.title().equals(processors.section())))
            .toList();
    if (builds.size() > 1) {
      List<Bar> bars = builds.stream().map(build -> bar(build.what(), List.of(build))).toList();
      double first = builds.get(0).totalUs();
      double last = builds.get(builds.size() - 1).totalUs();
      findings.add(
          "processor-time-build-by-build",
          "a durable grant costs %s of processor time, %s from %s"
              .formatted(
                  Unit.MICROSECONDS.text(last), last < first ? "down" : "up", Unit.number(first)),
          BY_PROCESS,
          1,
          bars);
    }
  }

  /** Of the notes of a row, which begin with the build. */
  private Optional<Bar> bar(String row, String build, String name) {
    List<Processors> notes =
        report.processors().stream()
            .filter(note -> isOfRow(row, note))
            .filter(note -> note.what().startsWith(BaselineFindings.OLDER) != build.isEmpty())
            .sorted(Comparator.comparingDouble(Processors::totalUs))
            .toList();
    return notes.isEmpty() ? Optional.empty() : Optional.of(bar(name, notes));
  }

  private boolean isOfRow(String row, Processors note) {
    return report.ratios().stream()
        .filter(ratio -> ratio.title().equals(note.section()))
        .map(Ratio::number)
        .anyMatch(row::equals);
  }

  /**
   * Of the run in the middle, or the lower of two, since the parts of several medians are not those
   * of one.
   */
  private static Bar bar(String name, List<Processors> sorted) {
    Processors middle = sorted.get((sorted.size() - 1) / 2);
    Span total =
        new Span(
            middle.totalUs(), sorted.get(0).totalUs(), sorted.get(sorted.size() - 1).totalUs());
    List<Part> parts = middle.parts();
    return new Bar(
        name, Tone.OURS, Unit.MICROSECONDS, total, Unit.MICROSECONDS.text(middle.totalUs()), parts);
  }
}
