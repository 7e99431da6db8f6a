package io.sluice.db;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must be so before a ledger of format 1 is migrated; changes nothing. An instance of format 1
 * would take a list of events for one event, and judge a ledger whose rows are half moved. Two
 * orders with one seq have no place in the new keys, and no release could start behind a migration
 * that stopped there.
 */
final class Format1Check {
  /** An instance that runs writes that it does several times in this time. */
  static final Duration RUNNING = Duration.ofSeconds(15);

  private static final Logger log = LoggerFactory.getLogger(Format1Check.class);

  private final SqlSession session;

  Format1Check(SqlConnection connection) {
    this.session = new SqlSession(connection, () -> false, false);
  }

  /** Fails where the migration must wait, or cannot be. */
  Future<Void> run() {
    return session
        .select(
            SqlStatement.LIST_RUNNING_INSTANCES,
            Tuple.of(RUNNING.toMillis()),
            row -> row.getString(0))
        .compose(this::expectNone)
        .compose(
            none ->
                session.select(
                    SqlStatement.COUNT_FORMAT_1, Tuple.tuple(), row -> row.getInteger(0)))
        .compose(
            tables ->
                tables.get(0) == 0
                    ? Future.succeededFuture(List.<String>of())
                    : session.select(
                        SqlStatement.FIND_TWIN_PLACES,
                        Tuple.tuple(),
                        row -> row.getString(0) + " and " + row.getString(1)))
        .compose(this::expectNoTwins);
  }

  private Future<Void> expectNone(List<String> running) {
    if (running.isEmpty()) {
      return Future.succeededFuture();
    }
    log.atWarn()
        .addKeyValue("instances", String.join(", ", running))
        .log(
            "waiting for instances of an older format; end them, the ledger is migrated after that");
    return Future.failedFuture("Expected no instance of an older format, but some are running");
  }

  private Future<Void> expectNoTwins(List<String> twins) {
    if (twins.isEmpty()) {
      return Future.succeededFuture();
    }
    log.atError()
        .addKeyValue("orders", String.join("; ", twins))
        .log("ALARM: two orders of the ledger have one seq; nothing was migrated");
    return Future.failedFuture("Expected one order for each seq, but some have two");
  }
}
