package io.sluice.grant;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.TimerQueue;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.order.SkuCatalog;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which SKUs may be ordered together: all must be of one sale that takes carts, and of one mode. A
 * sale's first PUT fixes whether it does, so that is kept for each SKU in it, as a sale may be
 * deleted and made again with new SKUs. One per event loop.
 */
final class CartSales {
  private static final int SKUS_MAX = 10_000;

  /** A SKU in one of its sales. */
  private record InSale(long skuId, long saleNo) {}

  private final SkuCatalog catalog;
  private final Function<String, Future<Optional<Seen>>> sales;
  private final TimerQueue deadlines;
  private final Duration deadline;
  private final Cache<InSale, Boolean> known =
      Caffeine.newBuilder().maximumSize(SKUS_MAX).executor(Runnable::run).build();

  /**
   * @param sales reads a sale: {@link io.sluice.ledger.SaleLedger#sale}
   * @param deadline for all reads of a wish
   */
  CartSales(
      SkuCatalog catalog,
      Function<String, Future<Optional<Seen>>> sales,
      TimerQueue deadlines,
      Duration deadline) {
    this.catalog = catalog;
    this.sales = sales;
    this.deadlines = deadlines;
    this.deadline = deadline;
  }

  /**
   * The facts about a wish before Redis or the ledger is asked.
   *
   * @param skus in the order of its lines; empty if they are refused
   * @param refused why they may not be ordered together; null if they may
   */
  record Look(List<Sku> skus, @Nullable Refused refused) {
    private static Look bad(Refused refused) {
      return new Look(List.of(), refused);
    }
  }

  /** Looks at the SKUs of a wish; never fails. */
  Future<Look> look(OrderWish wish) {
    return deadlines
        .within(deadline, lookUp(wish, catalog::find).compose(known -> unlessOver(known, wish)))
        .otherwise(cause -> Look.bad(Refusals.whenUnread(cause)));
  }

  /**
   * The SKUs may have gone on to the next sale. One that has ended may have granted there, so it is
   * read again; that others are not together need not be known before the next second.
   */
  private Future<Look> unlessOver(Look known, OrderWish wish) {
    if (known.refused() == null) {
      return known.skus().stream().anyMatch(sku -> sku.state().isEnded())
          ? lookUp(wish, catalog::readAgain)
          : Future.succeededFuture(known);
    }
    return known.refused().refusal() == Refusal.NOT_TOGETHER
        ? lookUp(wish, catalog::readLately)
        : Future.succeededFuture(known);
  }

  private Future<Look> lookUp(OrderWish wish, LongFunction<Future<Optional<Sku>>> reads) {
    List<Future<Optional<Sku>>> finds =
        wish.lines().stream().map(line -> reads.apply(line.skuId())).toList();
    return Future.all(finds)
        .compose(all -> ofOneSale(wish, finds.stream().map(Future::result).toList()));
  }

  private Future<Look> ofOneSale(OrderWish wish, List<Optional<Sku>> found) {
    List<Sku> skus = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).isEmpty()) {
        long skuId = wish.lines().get(i).skuId();
        return Future.succeededFuture(Look.bad(Refusals.unknownSku(skuId).ofLine(skuId)));
      }
      skus.add(found.get(i).get());
    }
    String saleId = skus.get(0).membership().saleId();
    Refused apart = apart(skus, saleId);
    return apart != null || saleId == null
        ? Future.succeededFuture(new Look(List.of(), apart))
        : takesCarts(new InSale(skus.get(0).skuId(), skus.get(0).saleNo()), saleId)
            .map(
                takes ->
                    takes
                        ? new Look(skus, null)
                        : Look.bad(Refusals.notTogether(skus.get(0).skuId())));
  }

  private static @Nullable Refused apart(List<Sku> skus, @Nullable String saleId) {
    for (Sku sku : skus) {
      if (saleId == null || !saleId.equals(sku.membership().saleId())) {
        return Refusals.notTogether(sku.skuId());
      }
      if (sku.isDirect() != skus.get(0).isDirect()) {
        return Refusals.otherMode(sku);
      }
    }
    return null;
  }

  /** Fails if the ledger does not say. */
  private Future<Boolean> takesCarts(InSale sku, String saleId) {
    Boolean carts = known.getIfPresent(sku);
    return carts != null
        ? Future.succeededFuture(carts)
        : Future.<Void>succeededFuture().compose(start -> read(sku, saleId));
  }

  private Future<Boolean> read(InSale sku, String saleId) {
    return sales
        .apply(saleId)
        .map(
            seen -> {
              seen.ifPresent(one -> known.put(sku, one.sale().carts()));
              return seen.filter(one -> one.sale().carts()).isPresent();
            });
  }
}
