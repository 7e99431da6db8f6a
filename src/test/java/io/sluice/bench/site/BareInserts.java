package io.sluice.bench.site;

import io.sluice.model.Grant;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.mysqlclient.MySQLConnection;
import io.vertx.sqlclient.Transaction;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference for booking: a loop that only writes the three rows per order that the ledger had
 * when this was first measured, whatever it writes now. No fence, gate, counters, log or events;
 * each connection writes its share, one transaction per batch, as multi-row text, which was the
 * fastest form measured.
 */
public final class BareInserts {
  /** To be made first, in a database of their own: those of the first ledger, with its indexes. */
  public static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE orders (
            order_token VARCHAR(64) NOT NULL PRIMARY KEY,
            user_id VARCHAR(64) NOT NULL,
            sku_id BIGINT NOT NULL,
            bucket INT NOT NULL,
            partition_id INT NOT NULL,
            qty INT NOT NULL,
            seq BIGINT NOT NULL,
            epoch BIGINT NOT NULL,
            status VARCHAR(16) NOT NULL,
            reason VARCHAR(16) NULL,
            version BIGINT NOT NULL,
            pay_before BIGINT NOT NULL,
            late_paid_at BIGINT NULL,
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            KEY orders_by_due (partition_id, status, pay_before),
            CHECK (status IN ('PENDING', 'REJECTED', 'CONFIRMED', 'CANCELED', 'REFUNDED'))
          ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin""",
          """
          CREATE TABLE stock_txn (
            id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
            order_token VARCHAR(96) NOT NULL,
            sku_id BIGINT NOT NULL,
            bucket INT NOT NULL,
            qty BIGINT NOT NULL,
            action VARCHAR(16) NOT NULL,
            created_at BIGINT NOT NULL,
            UNIQUE KEY stock_txn_once (order_token, sku_id, action),
            KEY stock_txn_by_sku (sku_id, action, qty),
            CHECK (action IN ('RESTOCK', 'HOLD', 'CONFIRM', 'CANCEL', 'REFUND'))
          ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin""",
          """
          CREATE TABLE outbox (
            id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
            partition_id INT NOT NULL,
            kind VARCHAR(16) NOT NULL,
            event_type VARCHAR(32) NOT NULL,
            payload TEXT NOT NULL,
            status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
            created_at BIGINT NOT NULL,
            KEY outbox_by_pass (partition_id, kind, status, id)
          ) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin""");

  private static final int ROWS_PER_STATEMENT = 500;

  private final Vertx vertx;
  private final String uri;
  private final int batch;

  public BareInserts(Vertx vertx, String uri, int batch) {
    this.vertx = vertx;
    this.uri = uri;
    this.batch = batch;
  }

  /** Writes each share on a connection of its own. */
  public Future<Void> write(List<List<Grant>> shares) {
    List<Future<Void>> done = new ArrayList<>();
    for (int i = 0; i < shares.size(); i++) {
      int partition = i;
      List<Grant> share = shares.get(i);
      done.add(
          MySQLConnection.connect(vertx, MySQLConnectOptions.fromUri(uri))
              .compose(
                  connection ->
                      batches(connection, partition, share, 0).eventually(connection::close)));
    }
    return Future.all(done).mapEmpty();
  }

  private Future<Void> batches(
      MySQLConnection connection, int partition, List<Grant> share, int from) {
    if (from >= share.size()) {
      return Future.succeededFuture();
    }
    int to = Math.min(share.size(), from + batch);
    return connection
        .begin()
        .compose(
            transaction ->
                statements(connection, partition, share.subList(from, to), 0)
                    .compose(written -> commit(transaction)))
        .compose(committed -> batches(connection, partition, share, to));
  }

  private static Future<Void> commit(Transaction transaction) {
    return transaction.commit();
  }

  private static Future<Void> statements(
      MySQLConnection connection, int partition, List<Grant> orders, int from) {
    if (from >= orders.size()) {
      return Future.succeededFuture();
    }
    int to = Math.min(orders.size(), from + ROWS_PER_STATEMENT);
    List<Grant> rows = orders.subList(from, to);
    return connection
        .query(ordersText(partition, rows))
        .execute()
        .compose(done -> connection.query(txnText(rows)).execute())
        .compose(done -> connection.query(outboxText(partition, rows)).execute())
        .compose(done -> statements(connection, partition, orders, to));
  }

  private static String ordersText(int partition, List<Grant> grants) {
    StringBuilder sql =
        new StringBuilder(
            "INSERT INTO orders (order_token, user_id, sku_id, bucket, partition_id, qty, seq,"
                + " epoch, status, reason, version, pay_before, late_paid_at, created_at,"
                + " updated_at) VALUES ");
    for (Grant grant : grants) {
      sql.append("('").append(grant.token().value()).append("','").append(grant.userId());
      sql.append("',").append(grant.token().skuId()).append(',').append(grant.token().bucket());
      sql.append(',').append(partition).append(',').append(grant.qty()).append(',');
      sql.append(grant.seq()).append(',').append(grant.epoch()).append(",'PENDING',NULL,1,");
      sql.append(grant.payBeforeMs()).append(",NULL,").append(grant.grantedAtMs()).append(',');
      sql.append(grant.grantedAtMs()).append("),");
    }
    return ended(sql);
  }

  private static String txnText(List<Grant> grants) {
    StringBuilder sql =
        new StringBuilder(
            "INSERT INTO stock_txn (order_token, sku_id, bucket, qty, action, created_at) VALUES ");
    for (Grant grant : grants) {
      sql.append("('").append(grant.token().value()).append("',");
      sql.append(grant.token().skuId()).append(',').append(grant.token().bucket()).append(',');
      sql.append(grant.qty()).append(",'HOLD',").append(grant.grantedAtMs()).append("),");
    }
    return ended(sql);
  }

  private static String outboxText(int partition, List<Grant> grants) {
    StringBuilder sql =
        new StringBuilder(
            "INSERT INTO outbox (partition_id, kind, event_type, payload, created_at) VALUES ");
    for (Grant grant : grants) {
      sql.append('(').append(partition).append(",'EVENT','ORDER_BOOKED','");
      appendPayload(sql, grant);
      sql.append("',").append(grant.grantedAtMs()).append("),");
    }
    return ended(sql);
  }

  /** Has the same fields as the event of a booked order. */
  private static void appendPayload(StringBuilder sql, Grant grant) {
    sql.append("{\"type\":\"ORDER_BOOKED\",\"order_token\":\"").append(grant.token().value());
    sql.append("\",\"sku_id\":").append(grant.token().skuId());
    sql.append(",\"bucket\":").append(grant.token().bucket());
    sql.append(",\"user_id\":\"").append(grant.userId()).append("\",\"qty\":").append(grant.qty());
    sql.append(",\"seq\":").append(grant.seq()).append(",\"epoch\":").append(grant.epoch());
    sql.append(",\"status\":\"PENDING\",\"reason\":null,\"version\":1,\"pay_before\":");
    sql.append(grant.payBeforeMs()).append(",\"late_paid_at\":0,\"created_at\":");
    sql.append(grant.grantedAtMs()).append(",\"updated_at\":").append(grant.grantedAtMs());
    sql.append(",\"at\":").append(grant.grantedAtMs()).append('}');
  }

  private static String ended(StringBuilder rows) {
    rows.setLength(rows.length() - 1);
    return rows.toString();
  }
}
