package io.sluice.order;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What was written last, each value for a limited time. Thread-safe.
 *
 * <p>There are two generations, and the older one is dropped as a whole. A cache that chooses what
 * it keeps costs more with each write, and in a stampede it drops every second order that is new:
 * it keeps what was asked for often. Here each order that is booked is written, and the newest are
 * asked for.
 */
final class RecentMap<K, V> {
  /**
   * @param untilNanos when it is over
   */
  private record Kept<V>(V value, long untilNanos) {}

  private final int generationMax;
  private final long keptNanos;
  private final LongSupplier nanoTime;
  private Map<K, Kept<V>> younger = new HashMap<>();
  private Map<K, Kept<V>> older = Map.of();

  /** From then on all of the older generation is over. */
  private long olderUntilNanos;

  /**
   * @param sizeMax the maximum number of values
   * @param keptFor how long a value is kept after it was written, if it is among the last half of
   *     that number
   * @param nanoTime a monotonic clock
   */
  RecentMap(int sizeMax, Duration keptFor, LongSupplier nanoTime) {
    this.generationMax = sizeMax / 2;
    this.keptNanos = keptFor.toNanos();
    this.nanoTime = nanoTime;
    this.olderUntilNanos = nanoTime.getAsLong() + keptNanos;
  }

  synchronized @Nullable V get(K key) {
    Kept<V> young = younger.get(key);
    Kept<V> kept = young == null ? older.get(key) : young;
    return kept == null || isPast(kept.untilNanos()) ? null : kept.value();
  }

  /**
   * Changes a value in one step.
   *
   * @param change is given the value, or null, and returns the one to be kept; the same if nothing
   *     is to be written
   * @return the value that is kept now, or null
   */
  synchronized @Nullable V change(K key, UnaryOperator<@Nullable V> change) {
    V before = get(key);
    V after = change.apply(before);
    if (after != null && after != before) {
      if (younger.size() >= generationMax || isPast(olderUntilNanos)) {
        older = younger;
        younger = new HashMap<>();
        olderUntilNanos = nanoTime.getAsLong() + keptNanos;
      }
      younger.put(key, new Kept<>(after, nanoTime.getAsLong() + keptNanos));
    }
    return after;
  }

  private boolean isPast(long nanos) {
    return nanoTime.getAsLong() - nanos >= 0;
  }
}
