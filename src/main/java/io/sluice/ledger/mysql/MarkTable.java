package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger.MarkedStock;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** The watermarks that the stock of SKUs has passed. */
public final class MarkTable {
  private MarkTable() {}

  /** The next SKUs whose first bucket is in this partition, in order of their ids. */
  public static Future<List<MarkedStock>> page(
      SqlSession session, int partition, long afterSkuId, int limit) {
    return session.select(
        SqlStatement.LIST_MARKED_STOCKS, Tuple.of(partition, afterSkuId, limit), MarkTable::stock);
  }

  private static MarkedStock stock(Row row) {
    long total = row.getLong(1);
    return new MarkedStock(
        row.getLong(0),
        total,
        total - row.getLong(2),
        LedgerRows.settings(row.getString(3)).marks(),
        row.getInteger(4),
        row.getLong(5));
  }

  /** Writes down what these SKUs have passed. */
  public static Future<Void> keep(SqlSession session, List<MarkedStock> stocks) {
    return session.insert(
        SqlStatement.KEEP_WATERMARKS,
        stocks.stream()
            .map(stock -> Tuple.of(stock.skuId(), stock.below(), stock.crossings()))
            .toList());
  }
}
