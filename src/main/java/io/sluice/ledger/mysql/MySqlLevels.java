package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;

/**
 * The {@link io.sluice.ledger.Levels level} of a ledger in MySQL or MariaDB: a part of its
 * identity.
 */
public final class MySqlLevels {
  private final LedgerDatabase database;

  public MySqlLevels(Database database) {
    this.database = new LedgerDatabase(database);
  }

  /**
   * Raises the ledger to a level, unless instances of a lower one may still run; returns whether it
   * is of this level, or of a higher one, now. Once it is, it stays so.
   */
  public Future<Boolean> raise(int level) {
    return database
        .read(FoundationTable::partitions)
        .compose(
            kept ->
                FoundationTable.isRaised(kept, level)
                    ? Future.succeededFuture(true)
                    : database.inTransaction(session -> raise(session, level)));
  }

  private static Future<Boolean> raise(SqlSession session, int level) {
    return FoundationTable.partitions(session)
        .compose(
            kept ->
                kept.isEmpty() || FoundationTable.isRaised(kept, level)
                    ? Future.succeededFuture(!kept.isEmpty())
                    : raise(session, level, kept));
  }

  /**
   * An instance of a lower level may have compared its identity, and be about to write its row:
   * that is waited for, or refused.
   */
  private static Future<Boolean> raise(SqlSession session, int level, String kept) {
    return FoundationTable.change(
            session, FoundationTable.PARTITIONS, FoundationTable.raised(kept, level))
        .compose(
            marked ->
                session.select(
                    SqlStatement.LOCK_LOWER_LEVELS, Tuple.of(level), row -> row.getInteger(0)))
        .compose(locked -> older(session, level))
        .compose(
            older -> {
              if (older > 0) {
                session.undo();
                return Future.succeededFuture(false);
              }
              return session.update(SqlStatement.DELETE_LOWER_LEVELS, Tuple.of(level)).map(true);
            });
  }

  private static Future<Integer> older(SqlSession session, int level) {
    return session.only(
        SqlStatement.COUNT_OLDER_INSTANCES,
        Tuple.of(level, MySqlInstances.COUNTED_FOR.toMillis()),
        row -> row.getInteger(0));
  }
}
