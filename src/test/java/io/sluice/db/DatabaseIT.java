package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What {@code Database} promises on a real server: retries, and how failures are classified. */
class DatabaseIT {
  private static final int TIMEOUT_MS = 3_500;

  @AutoClose private static final TestDatabase database = TestDatabase.migrated(2, TIMEOUT_MS);

  private static final Database unit = database.database();

  @Test
  void shouldPrepareTheSessionWhenConnected() {
    // given
    MySQLConnection connection = database.connect();

    // when
    get(ConnectionFactory.setSession(connection, 10_000));

    // then
    Map<String, String> variables = new HashMap<>();
    for (Row row : get(connection.query("SHOW SESSION VARIABLES").execute())) {
      variables.put(row.getString(0), row.getString(1));
    }
    get(connection.close());
    assertThat(variables)
        .containsEntry("wait_timeout", "10")
        .containsEntry("innodb_lock_wait_timeout", "5")
        .containsEntry("time_zone", "+00:00");
    assertThat(variables.get("sql_mode")).contains("STRICT_TRANS_TABLES");
    assertThat(variables.getOrDefault("transaction_isolation", variables.get("tx_isolation")))
        .isEqualTo("READ-COMMITTED");
    assertThat(variables.getOrDefault("max_statement_time", variables.get("max_execution_time")))
        .startsWith("10");
  }

  @Test
  void shouldRollBackAsDataWhenAValueIsTooLong() {
    // given
    String tooLong = "x".repeat(300);

    // when
    SqlFailure failure =
        failureOf(
            unit.inTransaction(
                session -> correct(session, "kept?").compose(done -> correct(session, tooLong))));

    // then
    assertThat(failure.fault()).isEqualTo(SqlFault.DATA);
    assertThat(corrections("kept?")).isZero();
  }

  @Test
  void shouldBeDataWhenAConstraintIsBroken() {
    // given
    get(fill(1));

    // when
    SqlFailure failure =
        failureOf(
            unit.inTransaction(
                session -> session.updateOne(SqlStatement.CHANGE_ALLOTMENT, Tuple.of(-1, 1, 0))));

    // then
    assertThat(failure.fault()).isEqualTo(SqlFault.DATA);
  }

  @Test
  void shouldTryAgainAndThenBeDataWhenAKeyIsThereAlready() {
    // given
    get(fill(2));
    AtomicInteger attempts = new AtomicInteger();

    // when
    SqlFailure failure =
        failureOf(
            unit.inTransaction(
                session -> {
                  attempts.incrementAndGet();
                  return insertBucket(session, 2);
                }));

    // then
    assertThat(failure.fault()).isEqualTo(SqlFault.DATA);
    assertThat(attempts.get()).isGreaterThan(1);
  }

  @Test
  void shouldPassLaterWhenAnotherHoldsTheLock() {
    // given
    get(fill(3));
    MySQLConnection other = database.connect();
    get(other.query("BEGIN").execute());
    get(other.query("SELECT * FROM inventory_bucket WHERE sku_id = 3 FOR UPDATE").execute());
    AtomicInteger attempts = new AtomicInteger();
    double retriedBefore = database.counted("sluice_ledger_retries");

    // when
    get(
        unit.inTransaction(
            session ->
                (attempts.incrementAndGet() == 1
                        ? Future.succeededFuture()
                        : other.query("ROLLBACK").execute())
                    .compose(free -> allot(session, 3, 7))));

    // then
    get(other.close());
    assertThat(attempts).hasValue(2);
    assertThat(database.counted("sluice_ledger_retries")).isEqualTo(retriedBefore + 1);
    assertThat(allotted(3)).isEqualTo(7);
  }

  @Test
  void shouldPassBothWhenTheyDeadlock() {
    // given
    get(fill(4));
    get(fill(5));
    Promise<Void> oneHolds = Promise.promise();
    Promise<Void> twoHolds = Promise.promise();
    double retriedBefore = database.counted("sluice_ledger_retries");

    // when
    get(
        Future.all(
            unit.inTransaction(
                session ->
                    allot(session, 4, 1)
                        .onSuccess(held -> oneHolds.tryComplete())
                        .compose(held -> twoHolds.future())
                        .compose(held -> allot(session, 5, 1))),
            unit.inTransaction(
                session ->
                    allot(session, 5, 1)
                        .onSuccess(held -> twoHolds.tryComplete())
                        .compose(held -> oneHolds.future())
                        .compose(held -> allot(session, 4, 1)))));

    // then
    assertThat(List.of(allotted(4), allotted(5))).containsOnly(2L);
    assertThat(database.counted("sluice_ledger_retries")).isGreaterThan(retriedBefore);
  }

  @Test
  void shouldKeepNothingWhenAWriteInTheMiddleFindsTooFewRows() {
    // when
    SqlFailure failure =
        failureOf(
            unit.inTransaction(
                session ->
                    insertBucket(session, 6)
                        .compose(waits -> advance(session, 0, 7))
                        .compose(waits -> insertBucket(session, 7))));

    // then
    assertThat(failure).hasMessageContaining("Expected 2 rows of ADVANCE_FENCES, but found 0");
    assertThat(buckets(6, 7)).isZero();
  }

  @Test
  void shouldTellTheRowsOfEachWriteWhenTheyAreSentTogether() {
    // given
    database.sql(
        "INSERT INTO partition_fence (partition_id, term, next_offset) VALUES (1, 1, 0), (2, 1,"
            + " 0)");

    // when
    get(
        unit.inTransaction(
            session ->
                insertBucket(session, 8)
                    .compose(waits -> advance(session, 1, 2))
                    .compose(waits -> insertBucket(session, 9))));

    // then
    assertThat(buckets(8, 9)).isEqualTo(2);
  }

  @Test
  void shouldRunNoFurtherStatementOfATextWhenOneFails() {
    // given
    get(fill(10));
    MySQLConnection connection = database.connect();
    String dup = SqlStatement.INSERT_BUCKETS.written(List.of(bucket(10)), 0).sql();
    String next = SqlStatement.INSERT_BUCKETS.written(List.of(bucket(11)), 0).sql();

    // when
    Throwable failure =
        catchThrowable(() -> get(connection.query(dup + SqlSession.SEPARATOR + next).execute()));

    // then
    get(connection.close());
    assertThat(SqlFault.of(failure)).isEqualTo(SqlFault.DUPLICATE);
    assertThat(buckets(11, 11)).isZero();
  }

  /** A deadlock ends the transaction, so what followed in the text would be kept by itself. */
  @Test
  void shouldKeepNothingOfATextWhenItsTransactionEndsInADeadlock() {
    // given
    get(fill(12));
    get(fill(13));
    MySQLConnection one = database.connect();
    MySQLConnection two = database.connect();
    String insert = SqlStatement.INSERT_BUCKETS.written(List.of(bucket(14)), 0).sql();
    beginWithLock(one, 12);
    beginWithLock(two, 13);

    // when: each asks for what the other holds, and inserts the same row
    Future<?> first = locks(one, 13, insert);
    Future<?> second = locks(two, 12, insert);
    get(Future.join(first, second).otherwiseEmpty());
    long kept = buckets(14, 14);

    // then
    get(one.close());
    get(two.close());
    assertThat(first.succeeded() ^ second.succeeded()).as("one is the victim").isTrue();
    assertThat(kept).isZero();
  }

  private static void beginWithLock(MySQLConnection connection, long skuId) {
    get(connection.query("START TRANSACTION").execute());
    get(locks(connection, skuId, "SELECT 1"));
  }

  private static Future<?> locks(MySQLConnection connection, long skuId, String next) {
    return connection
        .query(
            "UPDATE inventory_bucket SET allotted = allotted + 1 WHERE sku_id = "
                + skuId
                + SqlSession.SEPARATOR
                + next)
        .execute();
  }

  // ---- helpers

  private static Future<Void> advance(SqlSession session, int... partitions) {
    return session.updateRows(
        SqlStatement.ADVANCE_FENCES,
        Arrays.stream(partitions).mapToObj(one -> Tuple.of(one, 1, 0, 5)).toList());
  }

  private static long buckets(long fromSkuId, long toSkuId) {
    return database
        .sql(
            "SELECT COUNT(*) FROM inventory_bucket WHERE sku_id BETWEEN %d AND %d"
                .formatted(fromSkuId, toSkuId))
        .iterator()
        .next()
        .getLong(0);
  }

  private static SqlFailure failureOf(Future<?> call) {
    return catchThrowableOfType(SqlFailure.class, () -> get(call));
  }

  private static Future<Integer> correct(SqlSession session, String what) {
    return session.update(SqlStatement.INSERT_CORRECTION, Tuple.of(what, "a", "b", "test", 1));
  }

  private static long corrections(String what) {
    return database
        .sql("SELECT COUNT(*) FROM correction WHERE what = '" + what + "'")
        .iterator()
        .next()
        .getLong(0);
  }

  private static Future<Void> fill(long skuId) {
    return unit.inTransaction(session -> insertBucket(session, skuId));
  }

  private static Future<Void> insertBucket(SqlSession session, long skuId) {
    return session.insert(SqlStatement.INSERT_BUCKETS, List.of(bucket(skuId)));
  }

  private static Tuple bucket(long skuId) {
    return Tuple.of(0, skuId, 0, 0, 1, 1, 0);
  }

  private static Future<Void> allot(SqlSession session, long skuId, long units) {
    return session.updateOne(SqlStatement.CHANGE_ALLOTMENT, Tuple.of(units, skuId, 0));
  }

  private static long allotted(long skuId) {
    return database
        .sql("SELECT allotted FROM inventory_bucket WHERE sku_id = " + skuId)
        .iterator()
        .next()
        .getLong(0);
  }
}
