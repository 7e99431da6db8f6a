package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.MarkedStock;
import io.sluice.ledger.rules.MarkCrossings;
import io.sluice.ledger.rules.OutboxList;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * Crosses watermarks. The stocks are read while the fence is locked, so that no other transaction
 * crosses the same marks, whatever became of an earlier attempt.
 */
final class WatermarkTransaction {
  private WatermarkTransaction() {}

  /** False if the fence is lost. */
  static Future<Boolean> cross(SqlSession session, Fence fence, long afterSkuId, int limit) {
    return PartitionTable.under(
        session,
        fence,
        false,
        () -> crossAlone(session, fence.partition(), afterSkuId, limit).map(true));
  }

  /** In a transaction in which nobody else crosses marks of this partition. */
  static Future<Void> crossAlone(SqlSession session, int partition, long afterSkuId, int limit) {
    return page(session, partition, afterSkuId, limit)
        .map(MarkCrossings::ofAll)
        .compose(crossed -> write(session, partition, crossed));
  }

  private static Future<Void> write(
      SqlSession session, int partition, List<MarkCrossings> crossed) {
    return crossed.isEmpty()
        ? Future.succeededFuture()
        : keep(session, crossed.stream().map(MarkCrossings::after).toList())
            .compose(kept -> OrderTable.nowMs(session))
            .compose(
                nowMs ->
                    OutboxTable.insert(
                        session,
                        OutboxList.combined(
                            crossed.stream()
                                .flatMap(each -> each.events(partition, nowMs).stream())
                                .toList()),
                        nowMs));
  }

  /** The next SKUs whose first bucket is in this partition, in order of their ids. */
  static Future<List<MarkedStock>> page(
      SqlSession session, int partition, long afterSkuId, int limit) {
    return session.select(
        SqlStatement.LIST_MARKED_STOCKS,
        Tuple.of(partition, afterSkuId, limit),
        WatermarkTransaction::stock);
  }

  private static MarkedStock stock(Row row) {
    long total = row.getLong(1);
    return new MarkedStock(
        row.getLong(0),
        total,
        total - row.getLong(2),
        Columns.settings(row.getString(3)).marks(),
        row.getInteger(4),
        row.getLong(5),
        row.getString(6));
  }

  /** Writes down what these SKUs have passed. */
  static Future<Void> keep(SqlSession session, List<MarkedStock> stocks) {
    return session.insert(
        SqlStatement.KEEP_WATERMARKS,
        stocks.stream()
            .map(stock -> Tuple.of(stock.skuId(), stock.below(), stock.crossings()))
            .toList());
  }
}
