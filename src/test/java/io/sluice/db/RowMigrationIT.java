package io.sluice.db;

import static io.sluice.db.TestDatabase.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.ledger.mysql.MySqlSkuLedger;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.vertx.core.Future;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Orders of format 1 are those of format 2 afterwards, wherever the migration was killed. */
class RowMigrationIT {
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final int OF_EACH_STATE = 3;
  private static final int PAGE = 2;
  private static final int KILLS_MAX = 200;

  /** With the commit. */
  private static final int STATEMENTS_OF_A_PAGE = 8;

  /** status, reason, version, late_paid_at, and the append-only rows beside HOLD. */
  private static final List<State> STATES =
      List.of(
          new State("PENDING", null, 1, 0),
          new State("CONFIRMED", null, 2, 0, "CONFIRM"),
          new State("CANCELED", "TIMEOUT", 2, 0, "CANCEL"),
          new State("CANCELED", "BUYER", 3, 7_000, "CANCEL"),
          new State("REFUNDED", null, 3, 0, "CONFIRM", "REFUND"),
          new State("REJECTED", "LEDGER_FULL", 1, 0),
          new State("REJECTED", "UNPROCESSABLE", 2, 8_000));

  private record State(
      String status, String reason, int version, long lateMs, List<String> actions) {
    State(String status, String reason, int version, long lateMs, String... actions) {
      this(status, reason, version, lateMs, List.of(actions));
    }
  }

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
    try (TestDatabase database = format1()) {
      // given
      List<String> before = shown(database);

      // when
      get(Migrations.run(database.vertx(), database.config()));

      // then
      assertThat(before).hasSizeGreaterThan(2 * OF_EACH_STATE * STATES.size());
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
    try (TestDatabase database = format1()) {
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
    try (TestDatabase database = format1()) {
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
    try (TestDatabase database = format1()) {
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

  @Test
  void shouldChangeNothingWhenTwoOrdersHaveOneSeq() {
    try (TestDatabase database = format1()) {
      // given
      database.sql("UPDATE orders SET seq = 1, epoch = 1 WHERE bucket = 0");
      List<String> before = shown(database);

      // when
      Throwable refused =
          catchThrowable(() -> get(Migrations.run(database.vertx(), database.config())));

      // then
      assertThat(refused).hasStackTraceContaining("one order for each seq");
      assertThat(shown(database)).containsExactlyElementsOf(before);
    }
  }

  // ---- a ledger of format 1

  private static TestDatabase format1() {
    TestDatabase database = TestDatabase.empty(2, 10_000);
    MySQLConnection connection = database.connect();
    get(connection.query(SqlStatement.CREATE_SCHEMA_VERSION.text(0)).execute());
    for (Migrations.Migration migration : Migrations.all().subList(0, RowMigration.VERSION - 1)) {
      migration.statements().forEach(statement -> get(connection.query(statement).execute()));
      get(
          connection
              .preparedQuery(SqlStatement.INSERT_SCHEMA_VERSION.text(0))
              .execute(Tuple.of(migration.version(), migration.file())));
    }
    get(connection.close());
    fill(database);
    return database;
  }

  private static void fill(TestDatabase database) {
    database.sql("INSERT INTO foundation (name, value) VALUES ('kafka_partitions', '8')");
    database.sql(
        """
        INSERT INTO inventory (sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state)
        VALUES (1001, 200, '{}', 'OPEN', 200, 2, 'FAST', 'OPEN')""");
    for (int bucket = 0; bucket < 2; bucket++) {
      database.sql(
          """
          INSERT INTO inventory_bucket (sku_id, bucket, partition_id, allotted, held, sold)
          VALUES (1001, %d, %d, 100, 6, 6)"""
              .formatted(bucket, bucket));
      txn(database, "!initial#" + bucket, bucket, 100, "RESTOCK", 1);
      for (int i = 0; i < STATES.size() * OF_EACH_STATE; i++) {
        order(database, new BucketId(1001, bucket), i);
      }
    }
  }

  private static void order(TestDatabase database, BucketId bucket, int number) {
    State state = STATES.get(number % STATES.size());
    OrderToken token = TOKENS.tokenFor("user-" + number, bucket, null);
    long bookedMs = 2_000L + number;
    long endedMs = state.actions().isEmpty() ? bookedMs : bookedMs + 10L * state.actions().size();
    database.sql(
        """
        INSERT INTO orders (order_token, user_id, sku_id, bucket, partition_id, qty, seq, epoch, status, reason,
          version, pay_before, late_paid_at, created_at, updated_at)
        VALUES ('%s', 'user-%d', 1001, %d, %3$d, 2, %d, 1, '%s', %s, %d, 5000, %s, 1000, %d)"""
            .formatted(
                token,
                number,
                bucket.bucket(),
                state.status().equals("REJECTED") ? 1 : number + 1,
                state.status(),
                state.reason() == null ? "NULL" : "'" + state.reason() + "'",
                state.version(),
                state.lateMs() == 0 ? "NULL" : state.lateMs(),
                state.lateMs() == 0 ? endedMs : state.lateMs()));
    if (!state.status().equals("REJECTED")) {
      txn(database, token.value(), bucket.bucket(), 2, "HOLD", bookedMs);
    }
    for (int i = 0; i < state.actions().size(); i++) {
      String action = state.actions().get(i);
      txn(database, token.value(), bucket.bucket(), 2, action, bookedMs + 10L * (i + 1));
    }
    database.sql(
        """
        INSERT INTO outbox (partition_id, kind, event_type, payload, created_at)
        VALUES (%d, 'EVENT', 'ORDER_BOOKED', '{"type":"ORDER_BOOKED","order_token":"%s"}', 1)"""
            .formatted(bucket.bucket(), token));
  }

  private static void txn(
      TestDatabase database, String token, int bucket, int qty, String action, long atMs) {
    database.sql(
        """
        INSERT INTO stock_txn (order_token, sku_id, bucket, qty, action, created_at)
        VALUES ('%s', 1001, %d, %d, '%s', %d)"""
            .formatted(token, bucket, qty, action, atMs));
  }
}
