package io.sluice.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ratios and figures of one row's runs. */
public final class Result {
  /** The ratio to an older build from which on this build counts as no slower. */
  private static final double NO_SLOWER = 0.97;

  private final Row row;
  private boolean beside;
  private final List<Double> ratios = new ArrayList<>();
  private final Map<String, List<Double>> figures = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  public Result(Row row) {
    this.row = row;
  }

  public Row row() {
    return row;
  }

  /**
   * Turns this into a comparison with an older build: its goal is a ratio of at least {@link
   * #NO_SLOWER}.
   */
  Result besideBaseline() {
    beside = true;
    return this;
  }

  String title() {
    return beside ? "beside the baseline: " + row.title() : row.title();
  }

  String goal() {
    return beside ? "at least " + NO_SLOWER : row.goal();
  }

  boolean isReached() {
    double median = ratios().median();
    return beside ? median >= NO_SLOWER : row.isReached(median);
  }

  /** Adds the ratio of one run. */
  public void ratio(double ratio) {
    ratios.add(ratio);
  }

  /** Adds a figure that the ratio is made of, such as {@code bare/s} or {@code bare p99 us}. */
  public void figure(String name, double value) {
    figures.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
  }

  public void note(String note) {
    notes.add(note);
  }

  int runs() {
    return ratios.size();
  }

  public Samples ratios() {
    return Samples.of(ratios);
  }

  public Map<String, Samples> figures() {
    Map<String, Samples> samples = new LinkedHashMap<>();
    figures.forEach((name, values) -> samples.put(name, Samples.of(values)));
    return samples;
  }

  public List<String> notes() {
    return notes;
  }
}
