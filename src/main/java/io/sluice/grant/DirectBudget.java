package io.sluice.grant;

import io.sluice.async.RateLimit;
import java.util.function.LongSupplier;

/**
 * The rate limit of direct bookings of an instance, in orders. It protects the ledger from a
 * stampede. Thread-safe.
 */
public final class DirectBudget {
  private final RateLimit places;

  /**
   * @param perSecond orders per second; 0 allows none
   * @param nanoTime a monotonic clock
   */
  public DirectBudget(int perSecond, LongSupplier nanoTime) {
    this.places = new RateLimit(perSecond, nanoTime);
  }

  /** Takes up to this many permits, and returns how many were taken. */
  int take(int orders) {
    return places.take(orders);
  }
}
