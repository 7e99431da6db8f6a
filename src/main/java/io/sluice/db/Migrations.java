package io.sluice.db;

import io.sluice.async.AsyncLoop;
import io.sluice.async.TimeLimit;
import io.sluice.config.MysqlConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.DatabaseException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the schema to the current version: numbered files, forward only, each run once.
 *
 * <p>The databases commit each DDL statement by itself, so a kill may leave a file half applied. So
 * each statement can be repeated, and a file is recorded after its last one. Several instances may
 * start at once: one holds a lock of the server, the others wait for it. Everything runs on one
 * connection, because the lock belongs to it.
 */
public final class Migrations {
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);

  /** In the order in which they run. A released file is never edited. */
  private static final List<String> FILES =
      List.of(
          "V1__ledger.sql",
          "V2__reconcile.sql",
          "V3__reading.sql",
          "V4__instances.sql",
          "V5__blacklist.sql",
          "V6__immutable_orders.sql",
          "V7__views_of_orders.sql",
          "V8__due_place.sql",
          "V9__order_notes.sql",
          "V10__sales.sql",
          "V11__ends.sql",
          "V12__archive.sql",
          "V13__sale_history.sql",
          "V14__next_sales.sql",
          "V15__watermarks.sql",
          "V16__earlier_sales.sql",
          "V17__moves.sql",
          "V18__carts.sql",
          "V19__direct.sql",
          "V20__former_places.sql",
          "V21__checked.sql",
          "V22__wide_user_ids.sql",
          "V23__views_of_the_caller.sql");

  private static final int TIMEOUT_MS = 120_000;
  private static final int LOCK_WAIT_S = 60;

  /** Bookings of the instances that run wait as long behind a change of their tables. */
  static final int TABLE_WAIT_S = 5;

  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final Pattern CHANGES_TABLE =
      Pattern.compile("(ALTER|CREATE|DROP|RENAME)\\s.*", Pattern.DOTALL);
  private static final int QUOTED_MAX = 80;

  private final SqlConnection connection;
  private final boolean adoptsLog;

  private Migrations(SqlConnection connection, boolean adoptsLog) {
    this.connection = connection;
    this.adoptsLog = adoptsLog;
  }

  record Migration(int version, String file, List<String> statements) {

    /**
     * @param file {@code V<version>__<name>.sql}, each statement ended by a semicolon and a newline
     */
    static Migration load(String file) {
      int version = Integer.parseInt(file.substring(1, file.indexOf("__")));
      String text = SqlTemplate.read("schema/" + file);
      String code =
          Arrays.stream(text.split("\n"))
              .filter(line -> !line.strip().startsWith("--"))
              .collect(Collectors.joining("\n"));
      List<String> statements =
          Arrays.stream(code.split(";\\s*(\n|$)"))
              .map(String::strip)
              .filter(statement -> !statement.isEmpty())
              .toList();
      return new Migration(version, file, statements);
    }
  }

  /**
   * Runs the migrations that have not been run yet. Fails with {@link BlockedMigrationException} if
   * a table cannot be changed now.
   */
  public static Future<Void> run(Vertx vertx, MysqlConfig config) {
    return run(vertx, config, false);
  }

  /**
   * The same at a start that adopts a new order log afterwards, if so: a ledger of format 1 is
   * refused then.
   */
  public static Future<Void> run(Vertx vertx, MysqlConfig config, boolean adoptsLog) {
    return TimeLimit.of(
            TIMEOUT_MS, MySQLConnection.connect(vertx, ConnectionFactory.options(config)))
        .compose(
            connection -> {
              connection.exceptionHandler(broken -> {});
              return new Migrations(connection, adoptsLog)
                  .underLock()
                  .eventually(connection::close);
            })
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof BlockedMigrationException
                        ? failure
                        : new SqlFailure(SqlFailure.faultOf(failure).afterLastAttempt(), failure)));
  }

  static List<Migration> all() {
    return FILES.stream().map(Migration::load).toList();
  }

  private Future<Void> underLock() {
    return TimeLimit.of(
            TIMEOUT_MS,
            ConnectionFactory.setSession(connection, TIMEOUT_MS)
                .compose(
                    ready ->
                        connection
                            .preparedQuery(SqlStatement.LIMIT_TABLE_LOCKS.text(0))
                            .execute(Tuple.of(TABLE_WAIT_S)))
                .compose(ready -> lock()))
        .compose(locked -> execute(SqlStatement.CREATE_SCHEMA_VERSION.text(0)))
        .compose(created -> appliedVersions())
        .compose(
            applied ->
                AsyncLoop.forEach(
                    all().stream()
                        .filter(migration -> !applied.contains(migration.version()))
                        .toList(),
                    this::apply))
        .compose(done -> execute(SqlStatement.RELEASE_LOCK.text(0)));
  }

  private Future<Void> lock() {
    return connection
        .preparedQuery(SqlStatement.GET_LOCK.text(0))
        .execute(Tuple.of(LOCK_WAIT_S))
        .compose(
            rows -> {
              Integer granted = rows.iterator().next().getInteger(0);
              return granted != null && granted == 1
                  ? Future.succeededFuture()
                  : Future.failedFuture("Expected the migration lock, but another holds it");
            });
  }

  private Future<Set<Integer>> appliedVersions() {
    return connection
        .query(SqlStatement.LIST_SCHEMA_VERSIONS.text(0))
        .execute()
        .map(
            rows ->
                StreamSupport.stream(rows.spliterator(), false)
                    .map((Row row) -> row.getInteger(0))
                    .collect(Collectors.toSet()));
  }

  private Future<Void> apply(Migration migration) {
    return check(migration)
        .compose(
            checked -> {
              log.atInfo().addKeyValue("file", migration.file()).log("migrating the ledger");
              return AsyncLoop.forEach(migration.statements(), this::execute);
            })
        .compose(
            done ->
                migration.version() == RowMigration.VERSION
                    ? new RowMigration(connection).run()
                    : Future.succeededFuture())
        .compose(
            done ->
                connection
                    .preparedQuery(SqlStatement.INSERT_SCHEMA_VERSION.text(0))
                    .execute(Tuple.of(migration.version(), migration.file())))
        .mapEmpty();
  }

  private Future<Void> check(Migration migration) {
    return migration.version() == RowMigration.VERSION
        ? new Format1Check(connection, adoptsLog, TIMEOUT_MS).run()
        : Future.succeededFuture();
  }

  private Future<Void> execute(String sql) {
    return TimeLimit.of(TIMEOUT_MS, connection.query(sql).execute().<Void>mapEmpty())
        .recover(
            failure ->
                Future.failedFuture(isBlocked(sql, failure) ? blocked(sql, failure) : failure));
  }

  private static boolean isBlocked(String sql, Throwable failure) {
    return failure instanceof DatabaseException answer
        && answer.getErrorCode() == LOCK_WAIT_TIMEOUT
        && CHANGES_TABLE.matcher(sql).matches();
  }

  private static BlockedMigrationException blocked(String sql, Throwable failure) {
    String line = sql.replaceAll("\\s+", " ");
    return new BlockedMigrationException(
        ("Expected to change a table of the ledger within %d s (%s), but another session reads it;"
                + " end backups, dumps and long reports of this database (SHOW FULL PROCESSLIST), then"
                + " start again")
            .formatted(
                TABLE_WAIT_S,
                line.length() <= QUOTED_MAX ? line : line.substring(0, QUOTED_MAX) + "..."),
        failure);
  }
}
