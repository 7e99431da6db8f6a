package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
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
        .compose(
            was ->
                OrderTable.nowMs(session)
                    .compose(
                        nowMs -> write(was, SkuRules.put(was, wanted, partitions, nowMs), nowMs)));
  }

  private Future<PutResult> write(Optional<Sku> was, PutResult result, long nowMs) {
    if (!(result instanceof PutResult.Done done)) {
      return Future.succeededFuture(result);
    }
    if (was.isEmpty()) {
      return create(done.sku(), nowMs).map(result);
    }
    return done.sku().equals(was.get())
        ? Future.succeededFuture(result)
        : SkuTransaction.on(session, was.get()).compose(held -> held.write(done.sku())).map(result);
  }

  private Future<Void> create(Sku sku, long nowMs) {
    return new NewSkus(session, List.of(sku))
        .create(nowMs)
        .compose(done -> OutboxTable.insert(session, ChangedSku.ceilings(List.of(sku)), nowMs));
  }
}
