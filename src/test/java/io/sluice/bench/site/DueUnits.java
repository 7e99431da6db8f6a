package io.sluice.bench.site;

import io.sluice.bench.BenchException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The units of a SKU's unpaid orders, and when they are back in Redis. */
public final class DueUnits {
  private static final Duration LOOK = Duration.ofMillis(5);
  private static final Duration BOOKING_LIMIT = Duration.ofSeconds(60);

  private final Site site;
  private final long skuId;

  public DueUnits(Site site, long skuId) {
    this.site = site;
    this.skuId = skuId;
  }

  /** Returns once so many units are booked. */
  public void awaitBooked(long units) {
    long endNs = System.nanoTime() + BOOKING_LIMIT.toNanos();
    while (held() < units) {
      if (System.nanoTime() > endNs) {
        throw new BenchException(
            "%,d units of %,d are held after %s".formatted(held(), units, BOOKING_LIMIT));
      }
      LockSupport.parkNanos(Site.POLL.toNanos());
    }
  }

  /** Units that unpaid orders hold in the ledger. */
  private long held() {
    return site.counts().stock(skuId, 1).held();
  }

  /**
   * Looks every few milliseconds until the units of all unpaid orders are on sale again. They are
   * read once, so all must be booked.
   */
  public ReleaseLags await(Duration limit) {
    ReleaseLags lags = new ReleaseLags(deadlines());
    long away = site.stock().available(skuId, 0);
    long endNs = System.nanoTime() + limit.toNanos();
    while (!lags.isComplete()) {
      lags.seen(site.stock().available(skuId, 0) - away, System.currentTimeMillis());
      if (System.nanoTime() > endNs) {
        throw new BenchException("not all units were back after " + limit);
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    return lags;
  }

  /** Of each unit of the unpaid orders. */
  private long[] deadlines() {
    return site
        .ledger()
        .query(
            "SELECT pay_before FROM orders WHERE sku_id = %d AND status = 'PENDING'"
                .formatted(skuId),
            row -> row.getLong(0))
        .stream()
        .mapToLong(Long::longValue)
        .toArray();
  }
}
