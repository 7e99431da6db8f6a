package io.sluice;

import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventFeed;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises an alarm for each partition of which nothing is heard for long: owners send a heartbeat
 * each second, so it has none, and nothing of it is booked. Time in which the broker is away, or
 * this process stood still, does not count: nothing could be heard.
 */
final class OwnerSilence implements EventFeed.Listener {
  /** Longer than any hand-over, and than a store may be away without a word. */
  static final Duration SILENT_MAX = Duration.ofSeconds(60);

  /** Between two looks; one that comes much later begins anew. */
  static final Duration LATE = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(OwnerSilence.class);

  private final EventFeed.Listener listener;
  private final BooleanSupplier isLogUp;
  private final LongSupplier nanoTime;
  private final AtomicLongArray heardAt;
  private final boolean[] alarmed;
  private long lookedAt;

  /** {@code listener} is notified of all events; the clock is monotonic. */
  OwnerSilence(
      int partitions, EventFeed.Listener listener, BooleanSupplier isLogUp, LongSupplier nanoTime) {
    this.listener = listener;
    this.isLogUp = isLogUp;
    this.nanoTime = nanoTime;
    this.heardAt = new AtomicLongArray(partitions);
    this.alarmed = new boolean[partitions];
    this.lookedAt = nanoTime.getAsLong();
    beginAnew(lookedAt);
  }

  @Override
  public void heard(int partition, Event event) {
    if (partition < heardAt.length()) {
      heardAt.set(partition, nanoTime.getAsLong());
    }
    listener.heard(partition, event);
  }

  /** A timer's call, always of the same thread. */
  void look() {
    long now = nanoTime.getAsLong();
    boolean late = now - lookedAt > LATE.toNanos();
    lookedAt = now;
    if (late || !isLogUp.getAsBoolean()) {
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
      log.atError()
          .addKeyValue("partition", partition)
          .addKeyValue("seconds", SILENT_MAX.toSeconds())
          .log("ALARM: partition has no owner that works; nothing of it is booked");
    } else if (!silent && alarmed[partition]) {
      log.atInfo().addKeyValue("partition", partition).log("partition has an owner again");
    }
    alarmed[partition] = silent;
  }

  private void beginAnew(long now) {
    IntStream.range(0, heardAt.length()).forEach(partition -> heardAt.set(partition, now));
  }
}
