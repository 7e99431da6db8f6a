package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How a site books the backlog that a volley has left, while no orders arrive.
 *
 * @param orders booked while it was watched
 * @param seconds that took, from the first of them to the last
 * @param settledS from the end of the volley until all is booked, told and known in Redis
 */
public record BacklogBooked(long orders, double seconds, double settledS) {
  /** Booking needs as long to notice that the stampede is over. */
  private static final Duration NOTICE = Duration.ofSeconds(1);

  private static final Duration LOOK = Duration.ofMillis(50);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  public double perSecond() {
    return orders / seconds;
  }

  /** Called right after the volley. */
  public static BacklogBooked watch(Site site, long firstSku, int skus) {
    long endedNs = System.nanoTime();
    LockSupport.parkNanos(NOTICE.toNanos());
    long before = site.counts().booked(firstSku, skus);
    long startNs = System.nanoTime();
    while (site.unbookedRecords() > 0) {
      if (System.nanoTime() - startNs > LIMIT.toNanos()) {
        throw new BenchException("the backlog is not booked after " + LIMIT);
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    double seconds = (System.nanoTime() - startNs) / 1e9;
    long orders = site.counts().booked(firstSku, skus) - before;
    site.drain();
    return new BacklogBooked(orders, seconds, (System.nanoTime() - endedNs) / 1e9);
  }
}
