package io.sluice.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The figures of one row's runs on one build. */
public final class Result {
  private final Map<Figure, List<Double>> figures = new EnumMap<>(Figure.class);
  private final List<String> notes = new ArrayList<>();

  /** Adds the value of one run. */
  public void add(Figure figure, double value) {
    figures.computeIfAbsent(figure, any -> new ArrayList<>()).add(value);
  }

  public void note(String note) {
    notes.add(note);
  }

  /** Adds all that another one has. */
  public void addAll(Result other) {
    other.figures.forEach((figure, values) -> values.forEach(value -> add(figure, value)));
    notes.addAll(other.notes);
  }

  Map<Figure, List<Double>> figures() {
    return figures;
  }

  List<String> notes() {
    return notes;
  }
}
