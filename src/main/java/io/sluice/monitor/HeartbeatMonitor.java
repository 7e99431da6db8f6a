package io.sluice.monitor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises an alarm for each partition without heartbeats: owners send one each second, so such a
 * partition has no working owner, and nothing of it is booked. Time in which a part was away, or
 * this process was stalled, does not count. No owner can work then, or be heard, and a restart
 * would only end an instance that cannot start again.
 */
public final class HeartbeatMonitor {
  /** Longer than any takeover, and than owners are silent while a store is unavailable. */
  static final Duration SILENT_MAX = Duration.ofSeconds(60);

  /** If two checks are further apart, the process was stalled, and all times start again. */
  static final Duration LATE = Duration.ofSeconds(5);

  private static final double NANOS_PER_S = 1e9;
  private static final Logger log = LoggerFactory.getLogger(HeartbeatMonitor.class);

  private final BooleanSupplier canWork;
  private final LongSupplier nanoTime;
  private final AtomicLongArray heardAt;
  private final boolean[] alarmed;
  private long lookedAt;

  /**
   * @param canWork whether owners can work, and be heard
   * @param nanoTime a monotonic clock
   */
  public HeartbeatMonitor(int partitions, BooleanSupplier canWork, LongSupplier nanoTime) {
    this.canWork = canWork;
    this.nanoTime = nanoTime;
    this.heardAt = new AtomicLongArray(partitions);
    this.alarmed = new boolean[partitions];
    this.lookedAt = nanoTime.getAsLong();
    beginAnew(lookedAt);
  }

  /** Any event of a partition was heard, on any thread. */
  public void heard(int partition) {
    if (partition < heardAt.length()) {
      heardAt.set(partition, nanoTime.getAsLong());
    }
  }

  /** For how long nothing was heard of a partition, or since it was looked at anew. */
  public double silentSeconds(int partition) {
    long nanos = nanoTime.getAsLong() - heardAt.get(partition);
    return (double) nanos / NANOS_PER_S;
  }

  /** Called by a timer, always on the same thread. */
  void look() {
    long now = nanoTime.getAsLong();
    boolean late = now - lookedAt > LATE.toNanos();
    lookedAt = now;
    if (late || !canWork.getAsBoolean()) {
      beginAnew(now);
      return;
    }
    for (int partition = 0; partition < alarmed.length; partition++) {
      look(partition, now - heardAt.get(partition));
    }
  }

  private void look(int partition, long silentNanos) {
    boolean silent = silentNanos > SILENT_MAX.toNanos();
    if (silent && !alarmed[partition]) {
      Alarm.NO_OWNER.raise(
          log.atError()
              .addKeyValue("partition", partition)
              .addKeyValue("seconds", SILENT_MAX.toSeconds()));
    } else if (!silent && alarmed[partition]) {
      log.atInfo().addKeyValue("partition", partition).log("partition has an owner again");
    }
    alarmed[partition] = silent;
  }

  private void beginAnew(long now) {
    IntStream.range(0, heardAt.length()).forEach(partition -> heardAt.set(partition, now));
  }
}
