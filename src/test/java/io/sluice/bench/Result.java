package io.sluice.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The ratios and figures of one row's runs. */
public final class Result {
  /** What a change may cost: of rates, and of times. */
  private static final Goal NO_SLOWER = Goal.atLeast(0.97);

  private static final Goal NO_LONGER = Goal.atMost(1.03);

  /** Both builds' rates would be divided by the same. */
  private static final String BARE = " / bare POST per second";

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

  /** From here on its ratios are to those of an older build, and to be no worse. */
  Result besideBaseline() {
    beside = true;
    return this;
  }

  String title() {
    return beside ? "beside the baseline: " + row.title().replace(BARE, "") : row.title();
  }

  Goal goal() {
    if (!beside) {
      return row.goal();
    }
    return row.goal().isLowest() ? NO_SLOWER : NO_LONGER;
  }

  boolean isReached() {
    return goal().isReached(ratios().median());
  }

  boolean isBesideBaseline() {
    return beside;
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
