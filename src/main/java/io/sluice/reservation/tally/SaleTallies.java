package io.sluice.reservation.tally;

import io.sluice.model.Sku;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The counters of all sales on this instance, shared by its event loops. */
public final class SaleTallies {
  /** Sales beyond these are not counted. */
  static final int SALES_MAX = 200;

  private final Map<String, SaleTally> bySale = new ConcurrentHashMap<>();

  /** The last that was asked for: in most sales, it is asked for again. */
  private volatile @Nullable Named last;

  private record Named(String saleId, SaleTally tally) {}

  /** The counters of the SKU's sale; null if it is in none, or if there are too many. */
  public @Nullable SaleTally of(Sku sku) {
    String saleId = sku.membership().saleId();
    if (saleId == null) {
      return null;
    }
    Named recent = last;
    return recent != null && recent.saleId.equals(saleId) ? recent.tally : find(saleId);
  }

  private @Nullable SaleTally find(String saleId) {
    SaleTally tally = bySale.get(saleId);
    if (tally == null) {
      if (bySale.size() >= SALES_MAX) {
        return null;
      }
      tally = bySale.computeIfAbsent(saleId, first -> new SaleTally());
    }
    last = new Named(saleId, tally);
    return tally;
  }

  Map<String, SaleTally> all() {
    return bySale;
  }

  /** Drops the counters of a sale in which nothing happens. */
  void drop(String saleId) {
    bySale.remove(saleId);
    last = null;
  }
}
