package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.LedgerRows.LockedBucket;
import io.sluice.ledger.rules.OutboxDraft;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A transaction about one SKU and its buckets, all of which it holds: what operators and restocks
 * share.
 */
final class SkuTransaction {
  private final SqlSession session;
  private final int partitions;
  private final long nowMs;
  private final Sku sku;
  private final List<LockedBucket> buckets;

  private SkuTransaction(
      SqlSession session, int partitions, long nowMs, Sku sku, List<LockedBucket> buckets) {
    this.session = session;
    this.partitions = partitions;
    this.nowMs = nowMs;
    this.sku = sku;
    this.buckets = buckets;
  }

  /** Holds the buckets of a SKU that is held. */
  static Future<SkuTransaction> on(SqlSession session, int partitions, Sku sku) {
    return BucketTable.lockAll(session, sku.skuId())
        .compose(
            buckets ->
                OrderTable.nowMs(session)
                    .map(nowMs -> new SkuTransaction(session, partitions, nowMs, sku, buckets)));
  }

  Sku sku() {
    return sku;
  }

  long nowMs() {
    return nowMs;
  }

  LockedBucket bucket(int bucket) {
    return buckets.get(bucket);
  }

  /** Units of each bucket that are neither held nor sold, after these changes of allotment. */
  long[] freeAfter(Map<Integer, Long> changes) {
    return IntStream.range(0, buckets.size())
        .mapToLong(i -> buckets.get(i).free() + changes.getOrDefault(i, 0L))
        .toArray();
  }

  /** Writes what may change of the SKU, and has Redis take it. */
  Future<Sku> write(Sku changed) {
    return SkuTable.update(session, changed)
        .compose(done -> BucketTable.raiseVersions(session, sku.skuId()))
        .compose(done -> leave(ceilings()))
        .map(changed);
  }

  /** Writes the total after its buckets' allotments have changed by so much. */
  Future<Sku> writeTotal(long units) {
    Sku changed = SkuRules.withTotal(sku, sku.totalStock() + units);
    return SkuTable.update(session, changed).map(changed);
  }

  /**
   * A row of the append-only ledger, the allotment and what tells Redis, for each of these buckets.
   */
  Future<Void> allot(Map<Integer, Long> changes, IntFunction<String> token) {
    List<StockTxn> rows = new ArrayList<>();
    List<OutboxDraft> drafts = new ArrayList<>();
    for (Map.Entry<Integer, Long> change : changes.entrySet()) {
      BucketId id = new BucketId(sku.skuId(), change.getKey());
      rows.add(StockTxn.restock(token.apply(id.bucket()), id, change.getValue()));
      drafts.add(OutboxPayload.ceiling(id.partition(partitions), id));
    }
    return AsyncLoop.forEach(
            changes.entrySet(),
            change ->
                BucketTable.changeAllotment(
                    session, new BucketId(sku.skuId(), change.getKey()), change.getValue()))
        .compose(then -> OrderTable.append(session, rows, nowMs))
        .compose(then -> leave(drafts));
  }

  /** Intents for the owners of these buckets. */
  Future<Void> intend(String restockId, int round, Map<Integer, Long> units) {
    List<OutboxDraft> drafts = new ArrayList<>();
    units.forEach(
        (bucket, part) -> {
          BucketId id = new BucketId(sku.skuId(), bucket);
          OutboxPayload.Take take = new OutboxPayload.Take(id, restockId, round, part);
          drafts.add(OutboxPayload.take(id.partition(partitions), take));
        });
    return RestockTable.insertParts(session, sku.skuId(), restockId, round, units)
        .compose(done -> leave(drafts));
  }

  Future<Void> leave(List<OutboxDraft> drafts) {
    return OutboxTable.insert(session, drafts, nowMs);
  }

  private List<OutboxDraft> ceilings() {
    return buckets.stream()
        .map(bucket -> OutboxPayload.ceiling(bucket.partition(), bucket.id()))
        .toList();
  }
}
