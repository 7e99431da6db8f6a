package io.sluice.explore.run;

import io.sluice.explore.store.FaultId;
import java.util.HashSet;
import java.util.Set;

/**
 * The remaining part of a scenario.
 *
 * @param faults the only faults that are injected, or null for all that are drawn
 * @param without actors that are left out
 * @param quietAtMs when the faults end
 */
public record Cut(Set<FaultId> faults, Set<String> without, long quietAtMs) {

  /** The whole scenario. */
  public static Cut none(Scenario scenario) {
    return new Cut(null, Set.of(), scenario.quietAtMs());
  }

  public boolean allows(FaultId id) {
    return faults == null || faults.contains(id);
  }

  public Cut withFaults(Set<FaultId> kept) {
    return new Cut(kept, without, quietAtMs);
  }

  public Cut withoutActor(String actor) {
    Set<String> more = new HashSet<>(without);
    more.add(actor);
    return new Cut(faults, more, quietAtMs);
  }

  public Cut quietAt(long ms) {
    return new Cut(faults, without, ms);
  }
}
