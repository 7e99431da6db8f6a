package io.sluice.chaos.fault;

import java.util.List;

/** Faults that are injected together; the next scene begins when the effects of all are over. */
public record Scene(List<Fault> faults) {
  public Scene {
    faults = List.copyOf(faults);
  }

  boolean isAlone() {
    return faults.size() == 1;
  }

  /** The usual length. */
  long usualMs() {
    long worst = 0;
    long all = 0;
    for (Fault fault : faults) {
      worst = Math.max(worst, fault.atMs() + fault.holdMs());
      all = Math.max(all, fault.kind().settleMs());
    }
    return worst + all + (isAlone() ? 0 : ChaosPlan.STORM_SETTLES_LATER_MS);
  }
}
