package io.sluice.ledger.mysql;

import io.sluice.ledger.Fence;
import io.sluice.ledger.LogProgress;
import io.sluice.ledger.OwnerRequests.RequestKind;
import io.sluice.ledger.mysql.table.FenceTable;
import io.sluice.ledger.mysql.table.ReadingTable;
import io.sluice.ledger.mysql.table.RequestTable;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * The part of the ledger in MySQL or MariaDB that records when the order log could last be read.
 */
abstract class MySqlProgress implements LogProgress {
  final LedgerDatabase database;
  final Meters meters;

  MySqlProgress(LedgerDatabase database, Meters meters) {
    this.database = database;
    this.meters = meters;
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
}
