package io.sluice.explore;

import io.sluice.explore.mutant.Defect;
import io.sluice.explore.run.Cut;
import io.sluice.explore.run.Run;
import io.sluice.explore.run.Scenario;
import io.sluice.explore.store.FaultId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes a failing run smaller as long as it breaks the same promise: removes faults, many at once
 * and then one by one, then actors, then time.
 */
final class Shrinker {
  private static final int RUNS_MAX = 800;

  private final Scenario scenario;
  private final Supplier<Defect> defect;
  private final String rule;
  private Cut smallest;
  private Run.Outcome outcome;
  private int runs;

  private Shrinker(Scenario scenario, Supplier<Defect> defect, Run.Outcome failing) {
    this.scenario = scenario;
    this.defect = defect;
    this.rule = failing.breach().rule();
    this.smallest = Cut.none(scenario);
    this.outcome = failing;
  }

  /** The smallest cut found, and its outcome. */
  record Shrunk(Cut cut, Run.Outcome outcome, int runs) {}

  static Shrunk shrink(Scenario scenario, Supplier<Defect> defect, Run.Outcome failing) {
    Shrinker shrinker = new Shrinker(scenario, defect, failing);
    boolean smaller = true;
    while (smaller && shrinker.runs < RUNS_MAX) {
      int before = shrinker.size();
      shrinker.takeOutFaults();
      shrinker.takeOutActors();
      shrinker.takeOutTime();
      smaller = shrinker.size() < before;
    }
    Run.Outcome traced = Run.of(scenario, shrinker.smallest, defect.get(), true);
    return new Shrunk(shrinker.smallest, traced, shrinker.runs);
  }

  private int size() {
    return outcome.injected().size() + outcome.actors().size() - smallest.without().size();
  }

  private void takeOutFaults() {
    for (int chunk = Math.max(1, outcome.injected().size() / 2); chunk >= 1; chunk /= 2) {
      int from = 0;
      while (from < outcome.injected().size()) {
        List<FaultId> kept = new ArrayList<>(outcome.injected());
        kept.subList(from, Math.min(from + chunk, kept.size())).clear();
        if (!stillFails(smallest.withFaults(new LinkedHashSet<>(kept)))) {
          from += chunk;
        }
      }
    }
  }

  private void takeOutActors() {
    for (String actor : outcome.actors()) {
      if (!smallest.without().contains(actor)) {
        stillFails(smallest.withoutActor(actor));
      }
    }
  }

  private void takeOutTime() {
    for (int eighths = 1; eighths < 8; eighths++) {
      if (stillFails(smallest.quietAt(smallest.quietAtMs() * eighths / 8))) {
        return;
      }
    }
  }

  private boolean stillFails(Cut cut) {
    if (runs >= RUNS_MAX) {
      return false;
    }
    runs++;
    Run.Outcome now = Run.of(scenario, cut, defect.get(), false);
    boolean fails = now.breach() != null && now.breach().rule().equals(rule);
    if (fails) {
      smallest = cut;
      outcome = now;
    }
    return fails;
  }
}
