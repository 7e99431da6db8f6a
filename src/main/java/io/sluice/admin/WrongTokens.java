package io.sluice.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts wrong tokens by address, within the current minute. A right token is never counted or
 * refused: behind a proxy others have the same address, and a caller who guesses must not lock
 * operators out. Used by one event loop.
 */
final class WrongTokens {
  static final int MAX = 10;
  static final int WINDOW_S = 60;

  /** Further addresses share one count. */
  private static final int ADDRESSES_MAX = 1_000;

  private static final String OTHERS = "others";
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_S);

  private final LongSupplier nanoTime;
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private long sinceNanos;

  WrongTokens(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.sinceNanos = nanoTime.getAsLong();
  }

  /** Counts another one; returns how many there are. */
  int count(String address) {
    long now = nanoTime.getAsLong();
    if (now - sinceNanos >= WINDOW_NANOS) {
      counts.clear();
      sinceNanos = now;
    }
    boolean isOwn = counts.containsKey(address) || counts.size() < ADDRESSES_MAX;
    return counts.merge(isOwn ? address : OTHERS, 1, Integer::sum);
  }
}
