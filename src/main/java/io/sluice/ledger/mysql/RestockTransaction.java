package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.SkuLedger.PutResult.TotalChange;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.RestockPlan.Next;
import io.sluice.ledger.rules.RestockPlan.Restock;
import io.sluice.ledger.rules.RestockPlan.Restock.Status;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.IfMatch;
import io.sluice.model.Limits;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The transaction of a restock: adds units, or plans a take-back, once per restock id. */
record RestockTransaction(SqlSession session, String restockId, long qty, IfMatch ifMatch) {
  Future<RestockResult> run(long skuId) {
    return SkuTable.onLocked(
        session, skuId, new RestockResult.Unknown(), sku -> inSale(sku.saleNo()).on(sku));
  }

  /** The same under the id that it is recorded as. */
  private RestockTransaction inSale(long saleNo) {
    return new RestockTransaction(session, RestockPlan.idOf(saleNo, restockId), qty, ifMatch);
  }

  /**
   * The restock that a PUT of another total is, in the transaction of the PUT. A take-back raises
   * the versions as well, so that no other one gets its id.
   *
   * @param changed the SKU with all else that the PUT changes
   * @return the SKU as it is written
   */
  static Future<Sku> put(SkuTransaction held, Sku changed, TotalChange total) {
    var restock =
        new RestockTransaction(held.session(), total.restockId(), total.qty(), IfMatch.NOTHING)
            .inSale(changed.saleNo());
    SkuTransaction after = held.with(changed);
    return total.qty() > 0 || changed.isDirect()
        ? restock.carryOut(after).map(result -> ((RestockResult.Done) result).sku())
        : held.write(changed).compose(done -> restock.carryOut(after)).map(changed);
  }

  private Future<RestockResult> on(Sku sku) {
    return RestockTable.read(session, sku.skuId(), restockId)
        .compose(
            known -> {
              if (known.isPresent()) {
                return Future.succeededFuture(answer(known.get(), sku));
              }
              if (!ifMatch.isMet(Optional.of(sku.tag()))) {
                return Future.succeededFuture(new RestockResult.Moved());
              }
              if (SkuRules.isEnding(sku)) {
                return Future.succeededFuture(new RestockResult.IsEnding());
              }
              if (qty > 0 && sku.stockNow() + qty > Limits.TOTAL_STOCK_MAX) {
                return Future.succeededFuture(new RestockResult.TooMuch(sku.stockNow()));
              }
              return SkuTransaction.on(session, sku).compose(this::carryOut);
            });
  }

  private Future<RestockResult> carryOut(SkuTransaction held) {
    return qty >= 0 ? add(held) : takeBack(held);
  }

  private RestockResult answer(Restock recorded, Sku sku) {
    if (recorded.qty() != qty) {
      return new RestockResult.Mismatch(recorded.qty());
    }
    return switch (recorded.status()) {
      case WORKING -> new RestockResult.Working();
      case DONE -> new RestockResult.Done(sku);
      case REFUSED -> new RestockResult.Refused(recorded.unsold());
    };
  }

  private Future<RestockResult> add(SkuTransaction held) {
    long[] parts = RestockPlan.spread(qty, held.sku().buckets());
    Map<Integer, Long> changes = new LinkedHashMap<>();
    for (int bucket = 0; bucket < parts.length; bucket++) {
      changes.put(bucket, parts[bucket]);
    }
    return allot(held, changes);
  }

  private Future<RestockResult> allot(SkuTransaction held, Map<Integer, Long> changes) {
    return insert(held, Status.DONE, 0)
        .compose(done -> held.allot(changes, bucket -> RestockPlan.token(restockId, bucket, 1)))
        .compose(done -> held.writeTotal(qty))
        .map(RestockResult.Done::new);
  }

  private Future<RestockResult> takeBack(SkuTransaction held) {
    return held.sku().isDirect() ? takeNow(held) : takeByOwners(held);
  }

  /** Units that the ledger shows as free are free: nothing of the SKU is granted elsewhere. */
  private Future<RestockResult> takeNow(SkuTransaction held) {
    if (RestockPlan.next(-qty, held.freeAfter(Map.of()), List.of()) instanceof Next.Round round) {
      Map<Integer, Long> changes = new TreeMap<>();
      round.units().forEach((bucket, units) -> changes.put(bucket, -units));
      return allot(held, changes);
    }
    long unsold = LongStream.of(held.freeAfter(Map.of())).sum();
    return insert(held, Status.REFUSED, unsold).map(new RestockResult.Refused(unsold));
  }

  private Future<RestockResult> takeByOwners(SkuTransaction held) {
    return insert(held, Status.WORKING, 0)
        .compose(done -> new StockReduction(session, held, restockId, -qty).begin())
        .map(restock -> answer(restock, held.sku()));
  }

  private Future<Void> insert(SkuTransaction held, Status status, long unsold) {
    return RestockTable.insert(
        session, held.sku().skuId(), restockId, new Restock(qty, status, 0, unsold));
  }
}
