package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.BucketTable.Rejoined;
import io.sluice.ledger.mysql.LedgerRows.LockedBucket;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.BucketId;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * SKUs that have ended and begin their next sale. The units sold so far are noted, for the sale
 * that they leave as well. A restock row brings each bucket to its share of the new stock, and its
 * owner is asked to load it. The SKUs are locked; they ended with all of their buckets.
 */
final class RejoinedSkus {
  private final SqlSession session;
  private final Sale sale;
  private final Map<SaleSku, Sku> skus;
  private final int partitions;

  /**
   * @param skus by what the sale wants of each
   */
  RejoinedSkus(SqlSession session, Sale sale, Map<SaleSku, Sku> skus, int partitions) {
    this.session = session;
    this.sale = sale;
    this.skus = skus;
    this.partitions = partitions;
  }

  /** Writes all of them. There may be none. */
  Future<Void> write(long nowMs) {
    if (skus.isEmpty()) {
      return Future.succeededFuture();
    }
    return BucketTable.lockEnded(
            session, skus.keySet().stream().map(SaleSku::skuId).sorted().toList())
        .compose(locked -> write(locked, nowMs));
  }

  private Future<Void> write(List<LockedBucket> locked, long nowMs) {
    Map<Long, List<LockedBucket>> bySku =
        locked.stream().collect(Collectors.groupingBy(bucket -> bucket.id().skuId()));
    List<Member> leaving = new ArrayList<>();
    List<Sku> after = new ArrayList<>();
    List<Rejoined> buckets = new ArrayList<>();
    List<StockTxn> rows = new ArrayList<>();
    skus.forEach(
        (wanted, was) -> {
          List<LockedBucket> ended = bySku.getOrDefault(was.skuId(), List.of());
          long base = ended.stream().mapToLong(bucket -> bucket.held() + bucket.sold()).sum();
          Sku now = again(was, wanted, ended, base);
          Member.leaving(was, base).ifPresent(leaving::add);
          after.add(now);
          rejoin(now, ended, buckets, rows);
        });
    Map<BucketId, Long> writes = new HashMap<>();
    locked.forEach(bucket -> writes.put(bucket.id(), bucket.nextWrite()));
    return EarlierSaleTable.insert(session, leaving)
        .compose(done -> SkuTable.rejoin(session, after))
        .compose(done -> BucketTable.rejoin(session, buckets))
        .compose(
            done ->
                RestockTable.append(
                    session, rows, id -> Objects.requireNonNull(writes.get(id)), nowMs))
        .compose(
            done ->
                RequestTable.askForEach(
                    session,
                    RequestKind.LOAD,
                    buckets.stream().map(Rejoined::placed).toList(),
                    nowMs));
  }

  private Sku again(Sku was, SaleSku wanted, List<LockedBucket> ended, long base) {
    if (ended.size() != was.buckets()) {
      throw new IllegalStateException(
          "Expected all %d buckets of SKU %d to have ended, but %d have"
              .formatted(was.buckets(), was.skuId(), ended.size()));
    }
    return SaleRules.again(sale, was, wanted, base, partitions);
  }

  private static void rejoin(
      Sku now, List<LockedBucket> ended, List<Rejoined> buckets, List<StockTxn> rows) {
    long[] shares = RestockPlan.spread(now.stockNow(), now.buckets());
    String id = RestockPlan.saleId(now.saleNo());
    for (LockedBucket before : ended) {
      int bucket = before.id().bucket();
      Rejoined one = new Rejoined(before, now.placed(bucket), shares[bucket]);
      buckets.add(one);
      rows.add(StockTxn.restock(RestockPlan.token(id, bucket, 1), before.id(), one.added()));
    }
  }
}
