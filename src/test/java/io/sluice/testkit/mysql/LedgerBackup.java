package io.sluice.testkit.mysql;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * A copy of all tables of one ledger at one moment, kept in the same database, so that the ledger
 * can be put back while instances use it: like a restored backup, or a replica that lagged when it
 * was promoted.
 *
 * <p>{@link #restore()} swaps all tables at once: each transaction is completely before or after
 * it, and no connection breaks. It may be repeated.
 */
public final class LedgerBackup {
  private static final int SQL_LIMIT_S = 120;
  private static final int ATTEMPTS_MAX = 5;
  private static final String KEPT = "kept_";
  private static final String COMING = "coming_";
  private static final String GONE = "gone_";
  private static final String TABLES =
      """
      SELECT table_name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'
      ORDER BY table_name""";

  private final Vertx vertx;
  private final String uri;
  private List<String> tables = List.of();

  /**
   * @param uri as {@link MysqlBackend#newDatabase()} gives it; its user may create and drop tables
   */
  public LedgerBackup(Vertx vertx, String uri) {
    this.vertx = vertx;
    this.uri = uri;
  }

  /** Copies what is committed now, in place of the last copy. */
  public void take() {
    withConnection(
        connection -> {
          List<String> all = names(connection);
          all.stream().filter(LedgerBackup::isOurs).forEach(name -> drop(connection, name));
          tables = all.stream().filter(name -> !isOurs(name)).toList();
          tables.forEach(name -> run(connection, like(KEPT + name, name)));
          run(connection, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
          run(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
          tables.forEach(name -> run(connection, copy(KEPT + name, name)));
          run(connection, "COMMIT");
        });
  }

  /** Restores the copy. What was committed since then is lost. */
  public void restore() {
    if (tables.isEmpty()) {
      throw new IllegalStateException("Expected take() before restore()");
    }
    withConnection(
        connection -> {
          for (String name : tables) {
            drop(connection, COMING + name);
            drop(connection, GONE + name);
            run(connection, like(COMING + name, name));
            run(connection, copy(COMING + name, KEPT + name));
          }
          swap(connection);
          tables.forEach(name -> drop(connection, GONE + name));
        });
  }

  /** Waits for the transactions in progress; retried after a deadlock with one of them. */
  private void swap(MySQLConnection connection) {
    String swap =
        tables.stream()
            .map(name -> "%1$s TO %2$s%1$s, %3$s%1$s TO %1$s".formatted(name, GONE, COMING))
            .collect(Collectors.joining(", ", "RENAME TABLE ", ""));
    for (int attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
      try {
        run(connection, swap);
        return;
      } catch (RuntimeException inTheWay) {
        if (!String.valueOf(inTheWay.getMessage()).contains("eadlock")) {
          throw inTheWay;
        }
      }
    }
    run(connection, swap);
  }

  private static boolean isOurs(String table) {
    return table.startsWith(KEPT) || table.startsWith(COMING) || table.startsWith(GONE);
  }

  private static String like(String table, String other) {
    return "CREATE TABLE " + table + " LIKE " + other;
  }

  private static String copy(String to, String from) {
    return "INSERT INTO " + to + " SELECT * FROM " + from;
  }

  private static void drop(MySQLConnection connection, String table) {
    run(connection, "DROP TABLE IF EXISTS " + table);
  }

  private static List<String> names(MySQLConnection connection) {
    List<String> names = new ArrayList<>();
    answer(connection.query(TABLES).execute(), TABLES).forEach(row -> names.add(row.getString(0)));
    return names;
  }

  private static void run(MySQLConnection connection, String sql) {
    answer(connection.query(sql).execute(), sql);
  }

  private interface Work {
    void on(MySQLConnection connection);
  }

  private void withConnection(Work work) {
    MySQLConnection connection =
        answer(MySQLConnection.connect(vertx, MySQLConnectOptions.fromUri(uri)), "a connection");
    try {
      // Tables are dropped and swapped in any order, as tools for backups do it.
      run(connection, "SET SESSION foreign_key_checks = 0");
      work.on(connection);
    } finally {
      connection.close();
    }
  }

  private static <T> T answer(Future<T> asked, String what) {
    try {
      return asked.await(SQL_LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the database did not answer " + what, e);
    }
  }
}
