package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.OutboxTable;
import io.sluice.ledger.mysql.table.SkuTable;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * The transaction of a PUT: creates the SKU with its buckets and first stock, or changes its
 * settings.
 */
final class PutTransaction {
  private final SqlSession session;
  private final int partitions;
  private final NewSku wanted;

  PutTransaction(SqlSession session, int partitions, NewSku wanted) {
    this.session = session;
    this.partitions = partitions;
    this.wanted = wanted;
  }

  Future<PutResult> run() {
    return SkuTable.lock(session, wanted.skuId())
        .compose(found -> found.isPresent() ? change(found.get()) : create());
  }

  private Future<PutResult> change(Sku was) {
    Optional<PutResult.Conflict> conflict = SkuRules.conflict(was, wanted);
    if (conflict.isPresent()) {
      return Future.succeededFuture(conflict.get());
    }
    Optional<PutResult.InSale> inSale = SkuRules.setBySale(was, wanted.settings());
    if (inSale.isPresent()) {
      return Future.succeededFuture(inSale.get());
    }
    if (was.settings().equals(wanted.settings().with(was.settings().marks()))) {
      return Future.succeededFuture(new PutResult.Done(was, false));
    }
    if (SkuRules.isEnding(was)) {
      return Future.succeededFuture(new PutResult.IsEnding());
    }
    return SkuTransaction.on(session, was)
        .compose(held -> held.write(SkuRules.withSettings(was, wanted.settings(), held.nowMs())))
        .map(changed -> new PutResult.Done(changed, false));
  }

  private Future<PutResult> create() {
    if (SkuRules.lacksMode(wanted.mode(), partitions)) {
      return Future.succeededFuture(new PutResult.NoMode());
    }
    return OrderTable.nowMs(session)
        .compose(
            nowMs -> {
              Sku sku = SkuRules.create(wanted, partitions, nowMs);
              return new NewSkus(session, List.of(sku))
                  .create(nowMs)
                  .compose(
                      done -> OutboxTable.insert(session, ChangedSku.ceilings(List.of(sku)), nowMs))
                  .map(new PutResult.Done(sku, true));
            });
  }
}
