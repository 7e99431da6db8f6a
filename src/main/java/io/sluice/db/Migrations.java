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
import java.util.Collections;
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
          "V24__baseline.sql",
          "V25__look_ups.sql",
          "V26__webhooks.sql",
          "V27__sku_names.sql",
          "V28__jobs.sql",
          "V29__deleted_skus.sql",
          "V30__withdrawn.sql");

  /**
   * Creates the whole schema, and takes the place of all versions before it, which development
   * builds had. They are recorded with it: such a build would run them otherwise.
   */
  private static final int BASELINE = 24;

  private static final int TIMEOUT_MS = 120_000;
  private static final int LOCK_WAIT_S = 60;

  /** Bookings of the instances that run wait as long behind a change of their tables. */
  static final int TABLE_WAIT_S = 5;

  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final Pattern CHANGES_TABLE =
      Pattern.compile("(ALTER|CREATE|DROP|RENAME|EXECUTE)\\s.*", Pattern.DOTALL);
  private static final int QUOTED_MAX = 80;

  private final SqlConnection connection;

  private Migrations(SqlConnection connection) {
    this.connection = connection;
  }

  /**
   * A table cannot be changed, since another session holds it. Not tried again by itself:
   * everything else that uses the table waits behind each attempt.
   */
  public static final class BlockedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BlockedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The schema is that of a build before 1.0; nothing was changed. */
  public static final class TooOldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooOldException(int version) {
      super(
          ("Expected a ledger of release 1.0 or later, but this database has that of a development"
                  + " build before it (schema %d), and no release can upgrade that: end its sales"
                  + " with the build that made it, and start this one on an empty database")
              .formatted(version));
    }
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
   * Runs the migrations that have not been run yet. Fails with {@link BlockedException} if a table
   * cannot be changed now, with {@link TooOldException} if there is no way from this schema.
   */
  public static Future<Void> run(Vertx vertx, MysqlConfig config) {
    return TimeLimit.of(
            TIMEOUT_MS, MySQLConnection.connect(vertx, ConnectionFactory.options(config)))
        .compose(
            connection -> {
              connection.exceptionHandler(broken -> {});
              return new Migrations(connection).underLock().eventually(connection::close);
            })
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof BlockedException || failure instanceof TooOldException
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
        .compose(Migrations::expectBaseline)
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

  private static Future<Set<Integer>> expectBaseline(Set<Integer> applied) {
    return applied.isEmpty() || applied.contains(BASELINE)
        ? Future.succeededFuture(applied)
        : Future.failedFuture(new TooOldException(Collections.max(applied)));
  }

  private Future<Void> apply(Migration migration) {
    log.atInfo().addKeyValue("file", migration.file()).log("migrating the ledger");
    int first = migration.version() == BASELINE ? 1 : migration.version();
    return AsyncLoop.forEach(migration.statements(), this::execute)
        .compose(
            done ->
                connection
                    .preparedQuery(SqlStatement.INSERT_SCHEMA_VERSIONS.text(0))
                    .execute(Tuple.of(first, migration.version(), migration.file())))
        .mapEmpty();
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

  private static BlockedException blocked(String sql, Throwable failure) {
    String line = sql.replaceAll("\\s+", " ");
    return new BlockedException(
        ("Expected to change a table of the ledger within %d s (%s), but another session reads it;"
                + " end backups, dumps and long reports of this database (SHOW FULL PROCESSLIST), then"
                + " start again")
            .formatted(
                TABLE_WAIT_S,
                line.length() <= QUOTED_MAX ? line : line.substring(0, QUOTED_MAX) + "..."),
        failure);
  }
}
