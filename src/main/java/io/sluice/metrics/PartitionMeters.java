package io.sluice.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The view of an owner on its partition. Used by its event loop; scrapes read it. */
public final class PartitionMeters {
  private final MeterRegistry registry;
  private final Timer rebuilds;
  private final Timer releases;
  private final Consumer<PartitionMeters> ended;
  private volatile long oldestRecordMs;
  private volatile long unbookedAgeMs;
  private volatile int frozenSkus;

  /**
   * @param ended called when what this one has is no longer to be shown
   */
  PartitionMeters(
      MeterRegistry registry, Timer rebuilds, Timer releases, Consumer<PartitionMeters> ended) {
    this.registry = registry;
    this.rebuilds = rebuilds;
    this.releases = releases;
    this.ended = ended;
  }

  /**
   * The oldest record that was read and is not booked.
   *
   * @param appendedAtMs when it was appended; 0 if there is none, or it does not say
   */
  public void oldestRecord(long appendedAtMs) {
    oldestRecordMs = appendedAtMs;
  }

  long oldestRecordMs() {
    return oldestRecordMs;
  }

  /** The age of the oldest grant that is overdue in Redis; 0 if none is. */
  public void unbookedAge(long ageMs) {
    unbookedAgeMs = ageMs;
  }

  /** The same as it was set. */
  public long unbookedAgeMs() {
    return unbookedAgeMs;
  }

  /** How many SKUs are frozen whose first bucket is in this partition. */
  public void frozenSkus(int skus) {
    frozenSkus = skus;
  }

  int frozenSkus() {
    return frozenSkus;
  }

  /**
   * A bucket in which Redis and the ledger differ.
   *
   * @param kind from a small fixed set
   */
  public void drifted(String kind) {
    registry.counter("sluice_drift", "kind", kind).increment();
  }

  /** Begins the time of a rebuild. */
  public Timer.Sample begin() {
    return Timer.start(registry);
  }

  /** A bucket that was shut is open again. */
  public void rebuilt(Timer.Sample begun) {
    begun.stop(rebuilds);
  }

  /** The units of an order that was not paid are on sale again, so long after it was due. */
  public void onSaleAgain(long lagMs) {
    releases.record(Math.max(0, lagMs), TimeUnit.MILLISECONDS);
  }

  /** The ownership has ended: its last values are no longer shown. */
  public void end() {
    ended.accept(this);
  }
}
