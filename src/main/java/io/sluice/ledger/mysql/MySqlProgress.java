package io.sluice.ledger.mysql;

import io.sluice.async.SharedQuestion;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Fences;
import io.sluice.ledger.Glances;
import io.sluice.ledger.LogProgress;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.ledger.mysql.table.FenceTable;
import io.sluice.ledger.mysql.table.GlanceTable;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.ReadingTable;
import io.sluice.ledger.mysql.table.RequestTable;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;

/**
 * The part of the ledger in MySQL or MariaDB that records when the order log could last be read,
 * and shows its owners how their partitions are.
 */
abstract class MySqlProgress implements Fences, LogProgress, Glances {
  /** The timers of the owners of an instance fire that close together. */
  private static final int GATHER_MS = 20;

  final LedgerDatabase database;
  final Meters meters;
  private final SharedQuestion<Map<Integer, Glance>> glances;

  MySqlProgress(LedgerDatabase database, Meters meters) {
    this.database = database;
    this.meters = meters;
    this.glances = new SharedQuestion<>(() -> database.read(GlanceTable::byPartition), GATHER_MS);
  }

  @Override
  public Future<Glance> glance(int partition) {
    return glances
        .ask()
        .compose(
            all -> {
              Glance found = all.get(partition);
              return found == null ? neverOwned() : Future.succeededFuture(found);
            });
  }

  /** Nothing is known of such a partition, so anything may be pending. */
  private Future<Glance> neverOwned() {
    return database
        .read(OrderTable::nowMs)
        .map(nowMs -> new Glance(nowMs, Optional.empty(), EnumSet.allOf(OutboxKind.class)));
  }

  @Override
  public Future<Boolean> skipLost(int partition, long from, long to) {
    return database.inTransaction(
        session ->
            FenceTable.skip(session, partition, from, to)
                .compose(
                    skipped ->
                        skipped
                            ? RequestTable.askForAll(session, RequestKind.REBUILD, partition)
                                .map(true)
                            : Future.succeededFuture(false)));
  }

  @Override
  public Future<Boolean> hasLost(int partition) {
    return database.read(
        session -> RequestTable.isAskedForAll(session, RequestKind.REBUILD, partition));
  }

  @Override
  public Future<Optional<Reading>> reading(int partition) {
    return database.read(session -> ReadingTable.read(session, partition));
  }

  @Override
  public Future<Boolean> keepReading(Fence fence, Reading reading, boolean outage) {
    return database
        .inTransaction(session -> ReadingTable.keep(session, fence, reading))
        .onSuccess(
            kept -> {
              if (kept && outage) {
                meters.paymentsInterrupted();
              }
            });
  }

  @Override
  public Future<Long> longestWindowMs() {
    return database.read(ReadingTable::longestWindowMs);
  }

  @Override
  public Future<Fence> takeOver(int partition, long termSeen) {
    return database.inTransaction(session -> FenceTable.takeOver(session, partition, termSeen));
  }

  @Override
  public Future<Fence> reset(int partition, long nextOffset) {
    return database.inTransaction(session -> FenceTable.reset(session, partition, nextOffset));
  }

  @Override
  public Future<Map<Integer, Fence>> fences() {
    return database.read(FenceTable::byPartition);
  }
}
