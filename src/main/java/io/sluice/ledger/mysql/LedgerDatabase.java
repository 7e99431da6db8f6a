package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlFailure;
import io.sluice.db.SqlFault;
import io.sluice.db.SqlSession;
import io.sluice.ledger.LedgerUnavailableException;
import io.sluice.ledger.UnprocessableException;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * The database with its failures mapped to the two exceptions of the ledger's ports.
 *
 * @param reads the database for reads that are transactions of their own; may be the same
 */
record LedgerDatabase(Database database, Database reads) {
  LedgerDatabase(Database database) {
    this(database, database);
  }

  <T> Future<T> inTransaction(Function<SqlSession, Future<T>> work) {
    return database.inTransaction(work).recover(LedgerDatabase::translated);
  }

  /**
   * A short transaction on the connections of reads: some are open while buyers come, so it need
   * not wait for a new one in the middle of a stampede.
   */
  <T> Future<T> inTransactionOfReads(Function<SqlSession, Future<T>> work) {
    return reads.inTransaction(work).recover(LedgerDatabase::translated);
  }

  <T> Future<T> inRehearsal(Function<SqlSession, Future<T>> work) {
    return database.inRehearsal(work).recover(LedgerDatabase::translated);
  }

  <T> Future<T> read(Function<SqlSession, Future<T>> work) {
    return reads.withSession(work).recover(LedgerDatabase::translated);
  }

  private static <T> Future<T> translated(Throwable failure) {
    boolean data = failure instanceof SqlFailure sql && sql.fault() == SqlFault.DATA;
    String message = String.valueOf(failure.getMessage());
    return Future.failedFuture(
        data
            ? new UnprocessableException(message, failure)
            : new LedgerUnavailableException(message, failure));
  }
}
