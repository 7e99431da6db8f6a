package io.sluice.ledger.mysql;

import io.sluice.ledger.Archives;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;

/** The part of the ledger in MySQL or MariaDB that moves orders to the archive. */
abstract class MySqlArchives extends MySqlProgress implements Archives {
  MySqlArchives(LedgerDatabase database, Meters meters) {
    super(database, meters);
  }

  @Override
  public Future<Boolean> archiveNext(int ordersMax) {
    return database.inTransaction(session -> ArchiveTransaction.next(session, ordersMax));
  }

  @Override
  public Future<Boolean> forgetNext(int rowsMax) {
    return database.inTransaction(session -> ForgetTransaction.next(session, rowsMax));
  }
}
