package io.sluice.metrics;

import static io.sluice.metrics.ProcessMeters.gauge;
import static io.sluice.metrics.ProcessMeters.timer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.metrics.ProcessMeters.Bounds;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How long rows of the outbox wait until they are sent, by their kind. */
public final class OutboxMeters {
  /** Rows that are read and not sent; each has up to hundreds of entries. */
  static final int KEPT_MAX = 20_000;

  /** Each pass begins anew far more often; a partition that is not looked at has another owner. */
  static final Duration LOOK_MAX = Duration.ofSeconds(10);

  /** A count that is older is made anew by the next purge. */
  static final Duration RECENT = Duration.ofSeconds(2);

  /** Purges come every ten seconds, unless the partition has another owner. */
  static final Duration COUNT_MAX = Duration.ofSeconds(30);

  private static final String KIND = "kind";
  private static final double MS_PER_S = 1_000;

  private final MeterRegistry registry;
  private final LongSupplier nanoTime;
  private final Map<String, OfKind> kinds = new ConcurrentHashMap<>();

  /** Guarded by itself; the row that was read first goes first. */
  private final Map<Long, Seen> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Seen> eldest) {
          return size() > KEPT_MAX;
        }
      };

  private record Look(long ageMs, long atNanos) {}

  /** How many rows of a kind a partition has. */
  private record Count(int rows, long atNanos) {}

  /** What each partition was last seen to have of a kind, and how long its rows waited. */
  private record OfKind(Map<Integer, Look> looks, Map<Integer, Count> counts, Timer lag) {}

  private record Seen(Timer lag, long sinceNanos) {}

  /** A row that is to be sent, and how long ago it was written. */
  public record Waiting(long id, long ageMs) {}

  OutboxMeters(MeterRegistry registry, LongSupplier nanoTime) {
    this.registry = registry;
    this.nanoTime = nanoTime;
  }

  /**
   * A page of rows was read.
   *
   * @param first whether a pass begins with it, so that its first row is the oldest
   */
  public void read(String kind, int partition, boolean first, List<Waiting> rows) {
    long now = nanoTime.getAsLong();
    OfKind ofKind = ofKind(kind);
    if (first) {
      ofKind.looks().put(partition, new Look(rows.isEmpty() ? 0 : rows.get(0).ageMs(), now));
    }
    synchronized (seen) {
      for (Waiting row : rows) {
        seen.putIfAbsent(
            row.id(), new Seen(ofKind.lag(), now - TimeUnit.MILLISECONDS.toNanos(row.ageMs())));
      }
    }
  }

  /** So many rows of a kind are not sent. */
  public void waiting(String kind, int partition, int rows) {
    ofKind(kind).counts().put(partition, new Count(rows, nanoTime.getAsLong()));
  }

  /** Whether it is known how many rows of a kind are not sent, as of a moment ago. */
  public boolean isCounted(String kind, int partition) {
    Count last = ofKind(kind).counts().get(partition);
    return last != null && nanoTime.getAsLong() - last.atNanos() <= RECENT.toNanos();
  }

  /** These rows are sent; others than those that were read here are not measured. */
  public void sent(List<Long> ids) {
    long now = nanoTime.getAsLong();
    synchronized (seen) {
      for (Long id : ids) {
        Seen row = seen.remove(id);
        if (row != null) {
          row.lag().record(Math.max(0, now - row.sinceNanos()), TimeUnit.NANOSECONDS);
        }
      }
    }
  }

  private OfKind ofKind(String kind) {
    OfKind known = kinds.get(kind);
    return known == null ? kinds.computeIfAbsent(kind, this::newKind) : known;
  }

  private OfKind newKind(String kind) {
    Map<Integer, Look> looks = new ConcurrentHashMap<>();
    Map<Integer, Count> counts = new ConcurrentHashMap<>();
    gauge(registry, "sluice_outbox_backlog_rows", () -> rows(counts), KIND, kind);
    gauge(registry, "sluice_outbox_age_seconds", () -> oldestMs(looks) / MS_PER_S, KIND, kind);
    Timer lag =
        timer(registry, "sluice_outbox_lag", Bounds.ms(100, 500, 1_000, 5_000, 30_000), KIND, kind);
    return new OfKind(looks, counts, lag);
  }

  private long rows(Map<Integer, Count> counts) {
    long now = nanoTime.getAsLong();
    return counts.values().stream()
        .filter(count -> now - count.atNanos() <= COUNT_MAX.toNanos())
        .mapToLong(Count::rows)
        .sum();
  }

  private long oldestMs(Map<Integer, Look> looks) {
    long now = nanoTime.getAsLong();
    return looks.values().stream()
        .filter(look -> now - look.atNanos() <= LOOK_MAX.toNanos())
        .mapToLong(Look::ageMs)
        .max()
        .orElse(0);
  }
}
