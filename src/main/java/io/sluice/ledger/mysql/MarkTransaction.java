package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.Fence;
import io.sluice.ledger.rules.MarkCrossings;
import io.sluice.ledger.rules.OutboxList;
import io.vertx.core.Future;
import java.util.List;

/**
 * Crosses watermarks. The stocks are read while the fence is locked, so that no other transaction
 * crosses the same marks, whatever became of an earlier attempt.
 */
final class MarkTransaction {
  private MarkTransaction() {}

  /** False if the fence is lost. */
  static Future<Boolean> cross(SqlSession session, Fence fence, long afterSkuId, int limit) {
    return FenceTable.holds(session, fence)
        .compose(
            mine ->
                mine
                    ? crossAlone(session, fence.partition(), afterSkuId, limit).map(true)
                    : Future.succeededFuture(false));
  }

  /** In a transaction in which nobody else crosses marks of this partition. */
  static Future<Void> crossAlone(SqlSession session, int partition, long afterSkuId, int limit) {
    return MarkTable.page(session, partition, afterSkuId, limit)
        .map(MarkCrossings::ofAll)
        .compose(crossed -> write(session, partition, crossed));
  }

  private static Future<Void> write(
      SqlSession session, int partition, List<MarkCrossings> crossed) {
    return crossed.isEmpty()
        ? Future.succeededFuture()
        : MarkTable.keep(session, crossed.stream().map(MarkCrossings::after).toList())
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
}
