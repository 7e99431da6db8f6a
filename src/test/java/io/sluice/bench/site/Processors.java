package io.sluice.bench.site;

import io.sluice.testkit.process.Affinity;
import java.util.List;
import java.util.stream.Stream;

/**
 * Gives the last processor to the generator and the others to everything else, so that load above
 * what the service can take does not take its processors. Needs {@code taskset} and two processors;
 * without these everything shares all of them.
 */
public final class Processors implements AutoCloseable {
  private static final int COUNT = Runtime.getRuntime().availableProcessors();

  private final Site site;
  private final List<Long> pids;
  private final boolean isSplit;

  private Processors(Site site, List<Long> pids, boolean isSplit) {
    this.site = site;
    this.pids = pids;
    this.isSplit = isSplit;
  }

  /** Leaves the last processor to the generator until {@link #close}. */
  public static Processors split(Site site) {
    List<Long> pids =
        Stream.concat(Spent.pids(site).values().stream(), Stream.of(site.bare(COUNT).pid()))
            .toList();
    boolean isSplit =
        COUNT > 1 && pids.stream().allMatch(pid -> Affinity.bind(pid, "0-%d".formatted(COUNT - 2)));
    site.generateOn(isSplit ? COUNT - 1 : -1);
    return new Processors(site, pids, isSplit);
  }

  /** How many the service and its servers have. */
  public int ofService() {
    return isSplit ? COUNT - 1 : COUNT;
  }

  @Override
  public void close() {
    site.generateOn(-1);
    if (isSplit) {
      pids.forEach(pid -> Affinity.bind(pid, "0-%d".formatted(COUNT - 1)));
    }
  }
}
