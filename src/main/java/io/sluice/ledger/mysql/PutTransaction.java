package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.table.BucketTable;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.OutboxTable;
import io.sluice.ledger.mysql.table.RequestTable;
import io.sluice.ledger.mysql.table.RestockTable;
import io.sluice.ledger.mysql.table.SkuTable;
import io.sluice.ledger.rules.OutboxDraft;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.PlacedBucket;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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
    if (was.settings().equals(wanted.settings())) {
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
    return OrderTable.nowMs(session)
        .compose(
            nowMs -> {
              Sku sku = SkuRules.create(wanted, partitions, nowMs);
              return SkuTable.insert(session, sku)
                  .compose(done -> fill(sku, nowMs))
                  .map(new PutResult.Done(sku, true));
            });
  }

  /**
   * Creates the buckets with their first stock, and for each an outbox row that loads it into
   * Redis.
   */
  private Future<Void> fill(Sku sku, long nowMs) {
    List<PlacedBucket> placed = IntStream.range(0, sku.buckets()).mapToObj(sku::placed).toList();
    long[] allotted = RestockPlan.spread(sku.totalStock(), sku.buckets());
    List<StockTxn> rows = new ArrayList<>();
    List<OutboxDraft> drafts = new ArrayList<>();
    for (PlacedBucket bucket : placed) {
      BucketId id = bucket.id();
      String token = RestockPlan.token(RestockPlan.INITIAL, id.bucket(), 1);
      rows.add(StockTxn.restock(token, id, allotted[id.bucket()]));
      drafts.add(OutboxPayload.ceiling(bucket.partition(), id));
    }
    return BucketTable.insert(session, placed, allotted)
        .compose(done -> RestockTable.append(session, rows, id -> BucketTable.FIRST_WRITE, nowMs))
        .compose(done -> OutboxTable.insert(session, drafts, nowMs))
        .compose(done -> requestLoads(placed));
  }

  private Future<Void> requestLoads(List<PlacedBucket> placed) {
    return AsyncLoop.forEach(placed, bucket -> RequestTable.ask(session, RequestKind.LOAD, bucket));
  }
}
