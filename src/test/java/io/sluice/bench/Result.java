package io.sluice.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the runs of one row came to. */
final class Result {
  private final Row row;
  private final List<Double> ratios = new ArrayList<>();
  private final Map<String, List<Double>> figures = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  Result(Row row) {
    this.row = row;
  }

  Row row() {
    return row;
  }

  /** The ratio of one run. */
  void ratio(double ratio) {
    ratios.add(ratio);
  }

  /** A figure behind it, such as {@code bare/s} or {@code bare p99 us}. */
  void figure(String name, double value) {
    figures.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
  }

  void note(String note) {
    notes.add(note);
  }

  int runs() {
    return ratios.size();
  }

  Samples ratios() {
    return Samples.of(ratios);
  }

  Map<String, Samples> figures() {
    Map<String, Samples> samples = new LinkedHashMap<>();
    figures.forEach((name, values) -> samples.put(name, Samples.of(values)));
    return samples;
  }

  List<String> notes() {
    return notes;
  }
}
