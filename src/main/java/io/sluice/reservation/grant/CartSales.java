package io.sluice.reservation.grant;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.ledger.SaleLedger.Seen;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which sales take orders of several SKUs. A sale's first PUT fixes that, so an answer is kept. One
 * per event loop.
 */
public final class CartSales {
  private static final int SALES_MAX = 10_000;

  private final Function<String, Future<Optional<Seen>>> sales;
  private final Cache<String, Boolean> known =
      Caffeine.newBuilder().maximumSize(SALES_MAX).executor(Runnable::run).build();

  /**
   * @param sales reads a sale: {@link io.sluice.ledger.SaleLedger#sale}
   */
  public CartSales(Function<String, Future<Optional<Seen>>> sales) {
    this.sales = sales;
  }

  /** Whether a sale takes carts. Fails if the ledger does not say. */
  Future<Boolean> take(String saleId) {
    Boolean carts = known.getIfPresent(saleId);
    return carts != null
        ? Future.succeededFuture(carts)
        : Future.<Void>succeededFuture().compose(start -> read(saleId));
  }

  private Future<Boolean> read(String saleId) {
    return sales
        .apply(saleId)
        .map(
            seen -> {
              seen.ifPresent(one -> known.put(saleId, one.sale().carts()));
              return seen.filter(one -> one.sale().carts()).isPresent();
            });
  }
}
