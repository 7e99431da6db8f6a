package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Instances;
import io.sluice.ledger.LedgerIdentity;
import io.sluice.ledger.Levels;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;

public final class MySqlInstances implements Instances {
  private final LedgerDatabase database;

  public MySqlInstances(Database database) {
    this.database = new LedgerDatabase(database);
  }

  @Override
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

  @Override
  public Future<Void> remove(String instanceId) {
    return database
        .read(session -> session.update(SqlStatement.DELETE_INSTANCE, Tuple.of(instanceId)))
        .mapEmpty();
  }

  @Override
  public Future<List<String>> running() {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_RUNNING_INSTANCES,
                Tuple.of(LedgerIdentity.ALIVE_FOR.toMillis()),
                row -> row.getString(0)));
  }

  @Override
  public Future<InstanceSettings> longest() {
    return database
        .read(
            session ->
                session.select(
                    SqlStatement.READ_LONGEST_SETTINGS,
                    Tuple.of(COUNTED_FOR.toMillis()),
                    row -> new InstanceSettings(row.getLong(0), row.getLong(1))))
        .map(rows -> rows.get(0));
  }
}
