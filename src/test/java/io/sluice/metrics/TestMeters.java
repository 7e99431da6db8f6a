package io.sluice.metrics;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.OwnerMeters.PartitionMeters;
import java.time.InstantSource;

/** The meters of owners, for tests. */
public final class TestMeters {
  /** Shared, since an explorer makes owners by the thousand. */
  private static final TestMeters UNSEEN = new TestMeters(1, InstantSource.system());

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final OwnerMeters owners;

  public TestMeters(int partitions, InstantSource clock) {
    this.owners = new OwnerMeters(registry, partitions, clock);
  }

  /** Meters of one owner that nobody looks at. */
  public static PartitionMeters ofOwner() {
    return UNSEEN.owner(0);
  }

  public OwnerMeters owners() {
    return owners;
  }

  public PartitionMeters owner(int partition) {
    return owners.of(partition);
  }

  /** The value of a gauge with these tags. */
  public double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  /** The value of a counter with these tags; 0 where there is none yet. */
  public double counter(String name, String... tags) {
    return registry.counter(name, tags).count();
  }

  /** How many meters there are. */
  public int series() {
    return registry.getMeters().size();
  }

  /** How many times this timer has recorded. */
  public long times(String name) {
    return registry.get(name).timer().count();
  }
}
