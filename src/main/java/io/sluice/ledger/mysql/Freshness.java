package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether what buyers ask for is most likely new, so that existing orders need not be read first. A
 * transaction that meets one runs again, and looks. Requests are repeated many at a time, when
 * something is slow already: from then on all look first for a while, instead of running twice.
 * Thread-safe.
 */
final class Freshness {
  static final Duration LOOKS_FOR = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private volatile long looksUntilNanos;

  Freshness(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.looksUntilNanos = nanoTime.getAsLong();
  }

  /** Asked once by each transaction. */
  boolean isLikely(SqlSession session) {
    return isLikely(session.isRepeated());
  }

  boolean isLikely(boolean repeated) {
    long now = nanoTime.getAsLong();
    if (repeated) {
      looksUntilNanos = now + LOOKS_FOR.toNanos();
    }
    return now - looksUntilNanos >= 0;
  }
}
