package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Outbox;
import io.sluice.ledger.mysql.table.FenceTable;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.OutboxTable;
import io.sluice.metrics.Meters;
import io.sluice.metrics.OutboxMeters;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The part of the ledger in MySQL or MariaDB that keeps the rows to be delivered. */
abstract class MySqlOutbox extends MySqlArchives implements Outbox {
  /** Counts cost the database a few milliseconds. */
  private static final int COUNTED_MAX = 10_000;

  MySqlOutbox(LedgerDatabase database, Meters meters) {
    super(database, meters);
  }

  @Override
  public Future<List<OutboxRow>> pending(int partition, OutboxKind kind, long afterId, int limit) {
    return database
        .read(session -> OutboxTable.waiting(session, partition, kind, afterId, limit))
        .map(
            page -> {
              measure(partition, kind, afterId == 0, page);
              if (afterId == 0 && page.size() < limit) {
                meters.outbox().waiting(name(kind), partition, page.size());
              }
              return page.stream().map(OutboxTable.Waiting::row).toList();
            });
  }

  private static String name(OutboxKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private void measure(
      int partition, OutboxKind kind, boolean first, List<OutboxTable.Waiting> page) {
    meters
        .outbox()
        .read(
            name(kind),
            partition,
            first,
            page.stream()
                .map(waiting -> new OutboxMeters.Waiting(waiting.row().id(), waiting.ageMs()))
                .toList());
  }

  @Override
  public Future<Void> sent(List<OutboxRow> rows) {
    return database
        .read(session -> OutboxTable.sent(session, rows))
        .onSuccess(marked -> meters.outbox().sent(rows.stream().map(OutboxRow::id).toList()));
  }

  @Override
  public Future<Boolean> keepRest(Fence fence, Map<OutboxRow, List<String>> rest) {
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
                                            session, fence.partition(), rest, nowMs))
                                .map(true)
                            : Future.succeededFuture(false)));
  }

  @Override
  public Future<Integer> purge(int partition, long beforeMs, int limit) {
    return database
        .read(session -> OutboxTable.purge(session, partition, beforeMs, limit))
        .compose(purged -> count(partition).transform(counted -> Future.succeededFuture(purged)));
  }

  /**
   * A purge comes by every few seconds, which is often enough: rows that fit into a page are
   * counted when that is read.
   */
  private Future<Void> count(int partition) {
    return AsyncLoop.forEach(
        List.of(OutboxKind.values()),
        kind ->
            meters.outbox().isCounted(name(kind), partition)
                ? Future.succeededFuture()
                : database
                    .read(session -> OutboxTable.count(session, partition, kind, COUNTED_MAX))
                    .onSuccess(rows -> meters.outbox().waiting(name(kind), partition, rows))
                    .mapEmpty());
  }
}
