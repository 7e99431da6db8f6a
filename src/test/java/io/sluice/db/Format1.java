package io.sluice.db;

import static io.sluice.db.TestDatabase.get;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** A ledger of format 1, with orders in all states in two buckets. */
final class Format1 {
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);
  private static final int OF_EACH_STATE = 3;

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

  static final int ORDERS_OF_BUCKET = STATES.size() * OF_EACH_STATE;

  private Format1() {}

  static TestDatabase ledger() {
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
      for (int i = 0; i < ORDERS_OF_BUCKET; i++) {
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
