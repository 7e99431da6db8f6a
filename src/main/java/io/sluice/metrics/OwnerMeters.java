package io.sluice.metrics;

import static io.sluice.metrics.ProcessMeters.gauge;
import static io.sluice.metrics.ProcessMeters.timer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.metrics.ProcessMeters.Bounds;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The view of this instance's owners on their partitions. Partitions that others own show 0, so of
 * all instances the highest value counts.
 */
public final class OwnerMeters {
  private static final double MS_PER_S = 1_000;

  private final MeterRegistry registry;
  private final InstantSource clock;
  private final AtomicReferenceArray<@Nullable PartitionMeters> owned;
  private final Timer rebuilds;
  private final Timer releases;

  /**
   * @param clock tells the age of records, whose time is that of the instance that appended them
   */
  public OwnerMeters(MeterRegistry registry, int partitions, InstantSource clock) {
    this.registry = registry;
    this.clock = clock;
    this.owned = new AtomicReferenceArray<>(partitions);
    this.rebuilds = timer(registry, "sluice_rebuild", Bounds.ms(500, 1_000, 3_000, 10_000, 60_000));
    this.releases = timer(registry, "sluice_release_lag", Bounds.OF_TIMEOUTS);
    IntStream.range(0, partitions).forEach(this::register);
    gauge(registry, "sluice_skus_frozen", () -> sum(partition -> partition.frozenSkus));
    units("free", Units::free);
    units("held", Units::held);
    units("sold", Units::sold);
  }

  private void register(int partition) {
    gauge(registry, "sluice_owner_here", partition, () -> owned.get(partition) == null ? 0 : 1);
    gauge(
        registry,
        "sluice_log_partition_age_seconds",
        partition,
        () -> recordAgeMs(partition) / MS_PER_S);
    gauge(
        registry,
        "sluice_unbooked_age_seconds",
        partition,
        () -> unbookedAgeMs(partition) / MS_PER_S);
  }

  /** Those of an owner that takes the place of any before it. */
  public PartitionMeters of(int partition) {
    PartitionMeters fresh =
        new PartitionMeters(
            registry, rebuilds, releases, by -> owned.compareAndSet(partition, by, null));
    owned.set(partition, fresh);
    return fresh;
  }

  private double recordAgeMs(int partition) {
    PartitionMeters now = owned.get(partition);
    long appendedAtMs = now == null ? 0 : now.oldestRecordMs;
    return appendedAtMs <= 0 ? 0 : Math.max(0, clock.millis() - appendedAtMs);
  }

  private double unbookedAgeMs(int partition) {
    PartitionMeters now = owned.get(partition);
    return now == null ? 0 : now.unbookedAgeMs();
  }

  private void units(String kind, ToLongFunction<Units> of) {
    gauge(
        registry,
        "sluice_stock_units",
        () -> sum(partition -> of.applyAsLong(partition.units)),
        "kind",
        kind);
  }

  private double sum(ToLongFunction<PartitionMeters> of) {
    return IntStream.range(0, owned.length())
        .mapToObj(owned::get)
        .filter(Objects::nonNull)
        .mapToLong(of)
        .sum();
  }

  /** Units of SKUs that have not ended, as the ledger has them. */
  public record Units(long free, long held, long sold) {
    public static final Units NONE = new Units(0, 0, 0);

    public Units plus(long moreFree, long moreHeld, long moreSold) {
      return new Units(free + moreFree, held + moreHeld, sold + moreSold);
    }

    public JsonObject json() {
      return new JsonObject().put("free", free).put("held", held).put("sold", sold);
    }

    /** What {@link #json} has made. */
    public static Units of(JsonObject json) {
      return new Units(
          json.getLong("free", 0L), json.getLong("held", 0L), json.getLong("sold", 0L));
    }
  }

  /** Grants of an older epoch that a Redis process made which was replaced. */
  public void strayGrantsDropped(int grants) {
    registry.counter(ProcessMeters.Rare.LEDGER_STRAY_GRANTS.meter).increment(grants);
  }

  /** Registers the kinds of drift, so that the first one is an increase. */
  public void driftKinds(Iterable<String> kinds) {
    kinds.forEach(kind -> registry.counter("sluice_drift", "kind", kind));
  }

  /** The view of an owner on its partition. Used by its event loop; scrapes read it. */
  public static final class PartitionMeters {
    private final MeterRegistry registry;
    private final Timer rebuilds;
    private final Timer releases;
    private final Consumer<PartitionMeters> ended;
    private volatile long oldestRecordMs;
    private volatile long unbookedAgeMs;
    private volatile int frozenSkus;
    private volatile Units units = Units.NONE;

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

    /** The units of all buckets of this partition. */
    public void units(Units now) {
      units = now;
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
}
