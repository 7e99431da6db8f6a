package io.sluice.bench.site;

import io.sluice.testkit.process.Affinity;
import java.util.List;

/**
 * Gives the last processor to the generator and the others to everything else, so that load above
 * what the service can take does not take its processors. Needs {@code taskset} and two processors;
 * without these everything shares all of them.
 */
public final class Processors implements AutoCloseable {
  private static final int COUNT = Runtime.getRuntime().availableProcessors();

  private final List<Long> pids;
  private final boolean isSplit;

  private Processors(List<Long> pids, boolean isSplit) {
    this.pids = pids;
    this.isSplit = isSplit;
  }

  /** Leaves the last processor to the generator until {@link #close}. */
  public static Processors split(Site site) {
    List<Long> pids = CpuSpent.pids(site);
    boolean isSplit =
        COUNT > 1 && pids.stream().allMatch(pid -> Affinity.bind(pid, "0-%d".formatted(COUNT - 2)));
    return new Processors(pids, isSplit);
  }

  /** Which processor a generator is to bind itself to; -1 for any. */
  public int ofGenerator() {
    return isSplit ? COUNT - 1 : -1;
  }

  /** As a note in the report. */
  public String text() {
    return isSplit
        ? "the generator has one processor, everything else the other " + (COUNT - 1)
        : "the generator shares the processors with everything else";
  }

  @Override
  public void close() {
    if (isSplit) {
      pids.forEach(pid -> Affinity.bind(pid, "0-%d".formatted(COUNT - 1)));
    }
  }
}
