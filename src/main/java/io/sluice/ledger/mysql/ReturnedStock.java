package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.LedgerRows.LockedBucket;
import io.sluice.ledger.rules.BatchChanges.Returned;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Units of orders of earlier sales that come back in a batch: they leave the stock. */
final class ReturnedStock {
  private ReturnedStock() {}

  /**
   * Writes the rows, and lowers the totals and what the earlier sales have sold. The counters of
   * the buckets are written with those of the batch.
   */
  static Future<Void> write(
      SqlSession session, List<Returned> returned, Map<BucketId, LockedBucket> locked, long nowMs) {
    if (returned.isEmpty()) {
      return Future.succeededFuture();
    }
    List<StockTxn> rows = returned.stream().map(Returned::row).toList();
    Map<Long, Long> units = new TreeMap<>();
    rows.forEach(row -> units.merge(row.bucket().skuId(), -row.qty(), Long::sum));
    return RestockTable.append(
            session, rows, id -> Objects.requireNonNull(locked.get(id)).nextWrite(), nowMs)
        .compose(
            done ->
                AsyncLoop.forEach(
                    units.entrySet(),
                    sku -> SkuTable.lowerTotal(session, sku.getKey(), sku.getValue())))
        .compose(done -> EarlierSaleTable.lower(session, returned));
  }
}
