package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.site.Site;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Orders booked per second from a backlog while no orders arrive. It is measured for 1.5 s, which
 * start once booking has noticed that the stampede is over (1 s) and something is booked.
 */
final class BookingRate {
  private static final double SECOND_NS = 1e9;
  private static final long NOTICE_NS = 1_000_000_000L;
  private static final long LOOK_NS = 1_500_000_000L;
  private static final long BEGIN_LIMIT_NS = 60_000_000_000L;

  private BookingRate() {}

  /** Takes a counter of booked orders. */
  static double of(LongSupplier booked) {
    LockSupport.parkNanos(NOTICE_NS);
    awaitProgress(booked);
    long startNs = System.nanoTime();
    long before = booked.getAsLong();
    LockSupport.parkNanos(LOOK_NS);
    return (booked.getAsLong() - before) * SECOND_NS / (System.nanoTime() - startNs);
  }

  /** Waits: a consumer that was paused for long has to rejoin its group first. */
  private static void awaitProgress(LongSupplier booked) {
    long endNs = System.nanoTime() + BEGIN_LIMIT_NS;
    long before = booked.getAsLong();
    while (booked.getAsLong() == before) {
      if (System.nanoTime() > endNs) {
        throw new BenchException("Expected the backlog to be booked, but nothing is");
      }
      LockSupport.parkNanos(Site.POLL.toNanos() / 10);
    }
  }

  /** The booking rate of the service. */
  static double of(Site site, long skuId) {
    String held = "SELECT CAST(SUM(held) AS SIGNED) FROM inventory_bucket WHERE sku_id = " + skuId;
    return of(() -> site.ledger().count(held));
  }
}
