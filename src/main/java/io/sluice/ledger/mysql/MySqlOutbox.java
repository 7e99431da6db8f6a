package io.sluice.ledger.mysql;

import io.sluice.ledger.Fence;
import io.sluice.ledger.Outbox;
import io.sluice.ledger.mysql.table.FenceTable;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.OutboxTable;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The part of the ledger in MySQL or MariaDB that keeps the rows to be delivered. */
abstract class MySqlOutbox extends MySqlProgress implements Outbox {
  MySqlOutbox(LedgerDatabase database, Meters meters) {
    super(database, meters);
  }

  @Override
  public Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit) {
    return database.read(session -> OutboxTable.pending(session, partition, kind, afterId, limit));
  }

  @Override
  public Future<Void> sent(List<Long> ids) {
    return database.read(session -> OutboxTable.sent(session, ids));
  }

  @Override
  public Future<Boolean> keepRest(Fence fence, Map<Long, List<String>> rest) {
    return database.inTransaction(
        session ->
            FenceTable.holds(session, fence)
                .compose(
                    mine ->
                        mine
                            ? OrderTable.nowMs(session)
                                .compose(
                                    nowMs ->
                                        OutboxTable.keepRest(
                                            session, fence.partition(), new TreeMap<>(rest), nowMs))
                                .map(true)
                            : Future.succeededFuture(false)));
  }

  @Override
  public Future<Integer> purge(int partition, long beforeMs, int limit) {
    return database.read(session -> OutboxTable.purge(session, partition, beforeMs, limit));
  }
}
