package io.sluice.reservation.grant;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.LoopContext;
import io.sluice.ledger.LevelGate;
import io.sluice.ledger.Levels;
import io.sluice.ledger.SaleLedger.Seen;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which sales take orders of several SKUs, once all instances understand them. A sale's first PUT
 * fixes that, so an answer is kept. One per event loop.
 */
public final class CartSales {
  private static final int SALES_MAX = 10_000;

  private final Function<String, Future<Optional<Seen>>> sales;
  private final LevelGate level;
  private final Cache<String, Boolean> known =
      Caffeine.newBuilder().maximumSize(SALES_MAX).executor(Runnable::run).build();

  /** Whether a sale takes carts. */
  enum Answer {
    YES,
    NO,
    /** It will, once no instance of a release before runs any more. */
    NOT_YET
  }

  /**
   * @param sales reads a sale: {@link io.sluice.ledger.SaleLedger#sale}
   */
  public CartSales(
      Function<String, Future<Optional<Seen>>> sales, Levels levels, LoopContext loop) {
    this.sales = sales;
    this.level = new LevelGate(levels, Levels.CARTS, loop.nanoTime());
  }

  /** Fails if the ledger does not say. */
  Future<Answer> of(String saleId) {
    Boolean carts = known.getIfPresent(saleId);
    Future<Boolean> read =
        carts != null
            ? Future.succeededFuture(carts)
            : Future.<Void>succeededFuture().compose(start -> read(saleId));
    return read.compose(
        has ->
            has
                ? level.isRaised().map(raised -> raised ? Answer.YES : Answer.NOT_YET)
                : Future.succeededFuture(Answer.NO));
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
