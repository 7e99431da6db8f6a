package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.BucketTable.NewBucket;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * SKUs that a transaction creates: with their buckets, their first stock, and for each bucket a
 * request to its owner to load it into Redis.
 */
final class NewSkus {
  private final SqlSession session;
  private final List<Sku> skus;

  NewSkus(SqlSession session, List<Sku> skus) {
    this.session = session;
    this.skus = skus;
  }

  /** Writes all of them. There may be none. */
  Future<Void> create(long nowMs) {
    List<NewBucket> buckets = new ArrayList<>();
    List<StockTxn> rows = new ArrayList<>();
    for (Sku sku : skus) {
      long[] allotted = RestockPlan.spread(sku.totalStock(), sku.buckets());
      for (int bucket = 0; bucket < allotted.length; bucket++) {
        BucketId id = new BucketId(sku.skuId(), bucket);
        String token = RestockPlan.token(RestockPlan.INITIAL, bucket, 1);
        buckets.add(new NewBucket(sku.placed(bucket), allotted[bucket]));
        rows.add(StockTxn.restock(token, id, allotted[bucket]));
      }
    }
    return SkuTable.insert(session, skus)
        .compose(done -> BucketTable.insert(session, buckets))
        .compose(done -> RestockTable.append(session, rows, id -> BucketTable.FIRST_WRITE, nowMs))
        .compose(
            done ->
                RequestTable.askForEach(
                    session,
                    RequestKind.LOAD,
                    buckets.stream().map(NewBucket::placed).toList(),
                    nowMs));
  }
}
