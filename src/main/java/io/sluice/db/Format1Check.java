package io.sluice.db;

import io.sluice.alarm.Alarm;
import io.sluice.async.AsyncLoop;
import io.sluice.async.TimeLimit;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conditions for the migration of a ledger of format 1; changes nothing. An instance of format
 * 1 would take a list of events for one event, and judge a ledger whose rows are half moved. Grants
 * that only Redis has are lost with the keys of format 1. Two orders with one seq have no place in
 * the new keys, and no release could start behind a migration that stopped there.
 */
final class Format1Check {
  /** An instance that runs writes that it does several times in this time. */
  static final Duration RUNNING = Duration.ofSeconds(15);

  private static final Logger log = LoggerFactory.getLogger(Format1Check.class);

  private final SqlSession session;
  private final boolean adoptsLog;
  private final int timeoutMs;

  /**
   * @param adoptsLog whether this start is to adopt a new order log
   * @param timeoutMs for each statement
   */
  Format1Check(SqlConnection connection, boolean adoptsLog, int timeoutMs) {
    this.session = new SqlSession(connection, () -> false, false);
    this.adoptsLog = adoptsLog;
    this.timeoutMs = timeoutMs;
  }

  /** Fails if the migration must wait, or cannot be. */
  Future<Void> run() {
    return select(SqlStatement.COUNT_FORMAT_1)
        .compose(tables -> "0".equals(tables.get(0)) ? none() : ofFormat1());
  }

  private Future<Void> ofFormat1() {
    if (adoptsLog) {
      return Future.failedFuture(
          "Expected the release before to adopt the order log, but this one would migrate the"
              + " ledger first: start that one with --adopt-log, and upgrade once all is rebuilt");
    }
    return expectNoneRunning()
        .compose(none -> select(SqlStatement.LIST_LOST_PARTITIONS))
        .compose(
            lost ->
                expectEmpty(
                    lost,
                    "Expected no rebuild after lost records, but one is open in these partitions;"
                        + " let the release before end it: "))
        .compose(none -> select(SqlStatement.LIST_OLD_BUCKETS))
        .compose(buckets -> AsyncLoop.forEach(buckets, this::expectNoTwins))
        .compose(none -> expectNoneRunning());
  }

  /** Also asked at the end, since looking for twins takes its time. */
  private Future<Void> expectNoneRunning() {
    return select(SqlStatement.LIST_RUNNING_INSTANCES, RUNNING.toMillis())
        .compose(
            running ->
                expectEmpty(
                    running, "Expected no instance of an older format, but these run; end them: "));
  }

  /** One bucket after the other: no statement reads the whole ledger. */
  private Future<Void> expectNoTwins(String bucket) {
    return select(SqlStatement.FIND_TWIN_PLACES, bucket, bucket).compose(Format1Check::noneOf);
  }

  private static Future<Void> noneOf(List<String> twins) {
    if (!twins.isEmpty()) {
      Alarm.SEQ_IN_LEDGER_TWICE.raise(
          log.atError().addKeyValue("orders", String.join("; ", twins)));
    }
    return expectEmpty(twins, "Expected one order for each seq, but some have two: ");
  }

  private static Future<Void> expectEmpty(List<String> found, String otherwise) {
    return found.isEmpty() ? none() : Future.failedFuture(otherwise + String.join(", ", found));
  }

  private static Future<Void> none() {
    return Future.succeededFuture();
  }

  private Future<List<String>> select(SqlStatement statement, Object... parameters) {
    return TimeLimit.of(
        timeoutMs,
        session.select(statement, Tuple.from(parameters), row -> String.valueOf(row.getValue(0))));
  }
}
