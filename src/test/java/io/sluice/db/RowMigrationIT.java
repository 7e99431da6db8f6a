package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.alarm.Alarm;
import io.sluice.ledger.mysql.MySqlSkuLedger;
import io.sluice.testkit.register.Raises;
import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Orders of format 1 are those of format 2 afterwards, wherever the migration was killed. */
class RowMigrationIT {
  private static final int PAGE = 2;
  private static final int KILLS_MAX = 200;

  /** With the commit. */
  static final int STATEMENTS_OF_A_PAGE = 8;

  /** What the fixed names show. */
  private static List<String> shown(TestDatabase database) {
    List<String> rows = new ArrayList<>();
    rows.addAll(
        rows(
            database,
            """
            SELECT order_token, user_id, sku_id, bucket, partition_id, qty, seq, epoch, status, reason, version,
              pay_before, late_paid_at, created_at, updated_at
            FROM orders ORDER BY order_token"""));
    rows.addAll(
        rows(
            database,
            """
            SELECT order_token, sku_id, bucket, qty, action, created_at
            FROM stock_txn ORDER BY order_token, action"""));
    rows.addAll(rows(database, "SELECT * FROM inventory_view ORDER BY sku_id"));
    rows.addAll(rows(database, "SELECT id, payload, status FROM outbox ORDER BY id"));
    return rows;
  }

  private static List<String> rows(TestDatabase database, String sql) {
    return StreamSupport.stream(database.sql(sql).spliterator(), false)
        .map(row -> row.toJson().encode())
        .toList();
  }

  @Test
  void shouldShowTheSameWhenAllIsMoved() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      List<String> before = shown(database);

      // when
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(before).hasSizeGreaterThan(2 * Format1.ORDERS_OF_BUCKET);
      assertThat(shown(database)).containsExactlyElementsOf(before);
      assertThat(rows(database, "SHOW TABLES LIKE '%_v1'")).isEmpty();
      assertThat(rows(database, "SELECT value FROM foundation")).containsExactly(value("8"));
      assertThat(rows(database, "SELECT rejects FROM inventory_bucket ORDER BY bucket"))
          .containsExactly("{\"rejects\":6}", "{\"rejects\":6}");
      assertThat(get(new MySqlSkuLedger(database.database(), 8).audit(1001)).orElseThrow().agrees())
          .isTrue();
    }
  }

  private static String value(String partitions) {
    return "{\"value\":\"" + partitions + " in format 2\"}";
  }

  @Test
  void shouldLoseAndDoubleNothingWhenKilledAfterEachStatement() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      List<String> before = shown(database);
      Migrations.Migration last = Migrations.all().get(RowMigration.VERSION - 1);
      MySQLConnection schema = database.connect();
      last.statements().forEach(statement -> get(schema.query(statement).execute()));
      get(schema.close());

      // when
      int kills = 0;
      while (isKilledAfter(database, kills + 1)) {
        kills++;
        assertThat(kills).isLessThan(KILLS_MAX);
      }
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(kills).as("every statement of a page").isGreaterThan(2 * STATEMENTS_OF_A_PAGE);
      assertThat(shown(database)).containsExactlyElementsOf(before);
      assertThat(rows(database, "SELECT rejects FROM inventory_bucket ORDER BY bucket"))
          .containsExactly("{\"rejects\":6}", "{\"rejects\":6}");
    }
  }

  /** False where the migration was complete before it had run so many statements. */
  private static boolean isKilledAfter(TestDatabase database, int statements) {
    MySQLConnection connection = database.connect();
    AtomicInteger run = new AtomicInteger();
    Throwable killed =
        catchThrowable(
            () ->
                get(
                    new RowMigration(
                            connection,
                            PAGE,
                            () ->
                                run.incrementAndGet() == statements
                                    ? Future.failedFuture("killed")
                                    : Future.succeededFuture())
                        .run()));
    get(connection.close());
    return killed != null;
  }

  @Test
  void shouldKeepRowsThatBelongToNoOrder() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      database.sql(
          "INSERT INTO stock_txn (order_token, sku_id, bucket, qty, action, created_at)"
              + " VALUES ('1001.0.nobody', 1001, 0, 1, 'HOLD', 1)");

      // when
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(rows(database, "SELECT order_token FROM stock_txn_v1"))
          .containsExactly("{\"order_token\":\"1001.0.nobody\"}");
    }
  }

  @Test
  void shouldChangeNothingWhileAnInstanceIsRunning() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      List<String> before = shown(database);
      database.sql(
          """
          INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, seen_at)
          VALUES ('old-one', 2000, 4000, UNIX_TIMESTAMP(NOW(3)) * 1000)""");

      // when
      Throwable waiting =
          catchThrowable(() -> get(Migrations.run(database.vertx(), database.config())));

      // then
      assertThat(waiting).hasStackTraceContaining("no instance of an older format");
      assertThat(shown(database)).containsExactlyElementsOf(before);
      assertThat(rows(database, "SELECT value FROM foundation"))
          .containsExactly("{\"value\":\"8\"}");

      // when
      database.sql(
          "UPDATE service_instance SET seen_at = seen_at - " + Format1Check.RUNNING.toMillis());
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(shown(database)).containsExactlyElementsOf(before);
    }
  }

  /** It was seen before the database's clock was set back. */
  @Test
  void shouldNotWaitForAnInstanceThatWasSeenLaterThanNow() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      List<String> before = shown(database);
      database.sql(
          """
          INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, seen_at)
          VALUES ('old-one', 2000, 4000, UNIX_TIMESTAMP(NOW(3)) * 1000 + 60000)""");

      // when
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(shown(database)).containsExactlyElementsOf(before);
    }
  }

  @Test
  void shouldChangeNothingUntilLostRecordsAreMadeUpFor() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      List<String> before = shown(database);
      database.sql(
          """
          INSERT INTO owner_request (partition_id, kind, payload, open_key, created_at)
          VALUES (3, 'REBUILD', '{}', 'REBUILD:partition 3', 1), (4, 'REBUILD', '{}', 'REBUILD:1001.0', 1)""");

      // when
      Throwable waiting =
          catchThrowable(() -> get(Migrations.run(database.vertx(), database.config())));

      // then
      assertThat(waiting)
          .hasStackTraceContaining("open in these partitions")
          .hasMessageEndingWith(": 3");
      assertThat(shown(database)).containsExactlyElementsOf(before);

      // when
      database.sql("UPDATE owner_request SET open_key = NULL WHERE partition_id = 3");
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(shown(database)).containsExactlyElementsOf(before);
    }
  }

  @Test
  void shouldChangeNothingAtAStartThatAdoptsALog() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      List<String> before = shown(database);

      // when
      Throwable refused =
          catchThrowable(() -> get(Migrations.run(database.vertx(), database.config(), true)));

      // then
      assertThat(refused).hasStackTraceContaining("release before to adopt the order log");
      assertThat(shown(database)).containsExactlyElementsOf(before);
    }
  }

  @Test
  void shouldLetNoOlderOwnerTakeOver() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      get(Migrations.run(database.vertx(), database.config()));
      database.sql(
          "INSERT INTO partition_fence (partition_id, format, term, next_offset) VALUES (0, 2, 5, 9)");

      // when
      Throwable refused =
          catchThrowable(
              () ->
                  database.sql(
                      """
                      SET SESSION sql_mode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION';
                      INSERT INTO partition_fence (partition_id, term, next_offset) VALUES (0, 7, 0)
                      ON DUPLICATE KEY UPDATE term = 7"""));

      // then
      assertThat(refused).hasStackTraceContaining("doesn't have a default value");
      assertThat(rows(database, "SELECT term FROM partition_fence"))
          .containsExactly("{\"term\":5}");
    }
  }

  @Test
  @Raises(Alarm.SEQ_IN_LEDGER_TWICE)
  void shouldChangeNothingWhenTwoOrdersHaveOneSeq() {
    try (TestDatabase database = Format1.ledger()) {
      // given
      database.sql("UPDATE orders SET seq = 1, epoch = 1 WHERE bucket = 0");
      List<String> before = shown(database);
      long alarms = Alarm.SEQ_IN_LEDGER_TWICE.raised();

      // when
      Throwable refused =
          catchThrowable(() -> get(Migrations.run(database.vertx(), database.config())));

      // then
      assertThat(refused).hasStackTraceContaining("one order for each seq");
      assertThat(Alarm.SEQ_IN_LEDGER_TWICE.raised()).isEqualTo(alarms + 1);
      assertThat(shown(database)).containsExactlyElementsOf(before);
    }
  }
}
