package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.ledger.Levels;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;

/**
 * The running instances of a ledger in MySQL or MariaDB, with the settings that all of them must
 * respect. A rebuild waits for the longest grant deadline of any instance, and the sweep for the
 * longest sweep delay. The {@link Levels level} of the ledger is the highest that all of them have.
 */
public final class MySqlInstances {
  /**
   * How long an instance counts as running after it was last seen. One that is cut off from the
   * ledger still grants through Redis and the order log, and cannot be distinguished from one that
   * is dead.
   */
  static final Duration COUNTED_FOR = Duration.ofHours(24);

  /**
   * How long an instance counts as alive after it was last seen, when its being alive forbids
   * something.
   */
  public static final Duration ALIVE_FOR = Duration.ofSeconds(30);

  private final LedgerDatabase database;

  public MySqlInstances(Database database) {
    this.database = new LedgerDatabase(database);
  }

  /**
   * Registers this instance, or renews its row; a write. The row exists from the first call that
   * succeeds; nothing may be granted before that.
   *
   * @return whether the row is new
   */
  public Future<Boolean> keep(String instanceId, InstanceSettings settings) {
    Tuple row =
        Tuple.of(instanceId, settings.grantDeadlineMs(), settings.sweepAfterMs(), Levels.LEVEL);
    return database
        .read(session -> session.update(SqlStatement.KEEP_INSTANCE, row))
        .compose(written -> written == 1 ? forgetOld().map(true) : Future.succeededFuture(false));
  }

  private Future<Integer> forgetOld() {
    Tuple age = Tuple.of(COUNTED_FOR.toMillis());
    return database.read(session -> session.update(SqlStatement.DELETE_OLD_INSTANCES, age));
  }

  /** Removes this instance, which acknowledges no further grants. */
  public Future<Void> remove(String instanceId) {
    return database
        .read(session -> session.update(SqlStatement.DELETE_INSTANCE, Tuple.of(instanceId)))
        .mapEmpty();
  }

  /** The ids of instances that were seen within {@link #ALIVE_FOR}; 20 at most. */
  public Future<List<String>> running() {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_RUNNING_INSTANCES,
                Tuple.of(ALIVE_FOR.toMillis()),
                row -> row.getString(0)));
  }

  /** The longest of each setting among the instances that may still run; 0 if there is none. */
  public Future<InstanceSettings> longest() {
    return database.read(
        session ->
            session.only(
                SqlStatement.READ_LONGEST_SETTINGS,
                Tuple.of(COUNTED_FOR.toMillis()),
                Columns.to(InstanceSettings.class)));
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
        Tuple.of(level, COUNTED_FOR.toMillis()),
        row -> row.getInteger(0));
  }
}
