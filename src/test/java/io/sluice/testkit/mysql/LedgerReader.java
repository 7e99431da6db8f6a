package io.sluice.testkit.mysql;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.mysqlclient.MySQLBuilder;
import io.vertx.mysqlclient.MySQLConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Reads the tables and views of one ledger directly. */
public final class LedgerReader implements AutoCloseable {
  /** The stock of a SKU or a bucket; -1 is the bucket of a SKU's sums. */
  public record Stock(long skuId, int bucket, long total, long held, long sold) {
    public long available() {
      return total - held - sold;
    }
  }

  /** An order, with the number of rows of each action in {@code stock_txn} for its token. */
  public record OrderRow(
      String token,
      long skuId,
      int bucket,
      String userId,
      long qty,
      String status,
      String reason,
      long holds,
      long confirms,
      long cancels,
      long refunds,
      long rowsOfOtherQty) {}

  private static final int SQL_LIMIT_S = 20;
  private static final String VIEW = "SELECT sku_id, -1, total, held, sold FROM inventory_view";
  private static final String COUNTERS_BY_SKU =
      """
      SELECT sku_id, -1, CAST(SUM(allotted) AS SIGNED), CAST(SUM(held) AS SIGNED),
             CAST(SUM(sold) AS SIGNED)
      FROM inventory_bucket GROUP BY sku_id""";
  private static final String COUNTERS =
      "SELECT sku_id, bucket, allotted, held, sold FROM inventory_bucket";
  private static final String RECOMPUTED =
      """
      SELECT sku_id, bucket,
             CAST(SUM(CASE WHEN action = 'RESTOCK' THEN qty ELSE 0 END) AS SIGNED),
             CAST(SUM(CASE WHEN action = 'HOLD' THEN qty
                           WHEN action IN ('CONFIRM', 'CANCEL') THEN -qty ELSE 0 END) AS SIGNED),
             CAST(SUM(CASE WHEN action = 'CONFIRM' THEN qty
                           WHEN action = 'REFUND' THEN -qty ELSE 0 END) AS SIGNED)
      FROM stock_txn GROUP BY sku_id, bucket""";
  private static final String ORDERS =
      """
      SELECT o.order_token, o.sku_id, o.bucket, o.user_id, o.qty, o.status, o.reason,
             COUNT(CASE WHEN t.action = 'HOLD' THEN 1 END),
             COUNT(CASE WHEN t.action = 'CONFIRM' THEN 1 END),
             COUNT(CASE WHEN t.action = 'CANCEL' THEN 1 END),
             CASE WHEN SUM(CASE WHEN t.action = 'REFUND' THEN t.qty ELSE 0 END) = o.qty THEN 1 ELSE 0 END,
             COUNT(CASE WHEN t.action <> 'REFUND' AND t.qty <> o.qty THEN 1 END)
               + CASE WHEN SUM(CASE WHEN t.action = 'REFUND' THEN t.qty ELSE 0 END) > o.qty THEN 1 ELSE 0 END
      FROM orders o LEFT JOIN stock_txn t ON t.order_token = o.order_token
      GROUP BY o.order_token, o.sku_id, o.bucket, o.user_id, o.qty, o.status, o.reason""";
  private static final String WITHOUT_ORDER =
      """
      SELECT t.order_token FROM stock_txn t LEFT JOIN orders o ON o.order_token = t.order_token
      WHERE t.action <> 'RESTOCK' AND o.order_token IS NULL""";
  private static final String DISAGREEING =
      """
      SELECT COUNT(*) FROM inventory_view v
      JOIN (SELECT sku_id, SUM(allotted) AS total, SUM(held) AS held, SUM(sold) AS sold
            FROM inventory_bucket GROUP BY sku_id) c ON c.sku_id = v.sku_id
      WHERE v.total <> c.total OR v.held <> c.held OR v.sold <> c.sold OR v.available < 0""";
  private static final String ENDING =
      """
      SELECT COUNT(*) FROM orders
      WHERE status = 'PENDING' AND pay_before < UNIX_TIMESTAMP(NOW(3)) * 1000 + ?""";

  private final Pool pool;

  /** {@code uri} as {@link MysqlBackend#newDatabase()} gives it. */
  public LedgerReader(Vertx vertx, String uri) {
    this.pool =
        MySQLBuilder.pool()
            .with(new PoolOptions().setMaxSize(2))
            .connectingTo(MySQLConnectOptions.fromUri(uri))
            .using(vertx)
            .build();
  }

  /** {@code inventory_view}. */
  public List<Stock> view() {
    return query(VIEW, LedgerReader::stock);
  }

  public Optional<Stock> view(long skuId) {
    return view().stream().filter(stock -> stock.skuId() == skuId).findFirst();
  }

  /** The counters, summed by SKU. */
  public List<Stock> countersBySku() {
    return query(COUNTERS_BY_SKU, LedgerReader::stock);
  }

  /** The counters of each bucket. */
  public List<Stock> counters() {
    return query(COUNTERS, LedgerReader::stock);
  }

  /** The counters of the buckets that have ended. */
  public List<Stock> ended() {
    return query(COUNTERS + " WHERE ended = 1", LedgerReader::stock);
  }

  /** The counters of each bucket, recomputed from the append-only rows. */
  public List<Stock> recomputed() {
    return query(RECOMPUTED, LedgerReader::stock);
  }

  /** Total stock by SKU, from {@code inventory}. */
  public Map<Long, Long> totals() {
    var totals = new LinkedHashMap<Long, Long>();
    query("SELECT sku_id, total_stock FROM inventory", row -> row)
        .forEach(row -> totals.put(row.getLong(0), row.getLong(1)));
    return totals;
  }

  /** Every order. */
  public List<OrderRow> orders() {
    return query(ORDERS, LedgerReader::order);
  }

  public List<OrderRow> orders(long skuId) {
    return orders().stream().filter(order -> order.skuId() == skuId).toList();
  }

  /** Of each order of several SKUs, its lines' tokens and the lines that each says there are. */
  public Map<String, String> carts() {
    var carts = new LinkedHashMap<String, String>();
    query(
            """
            SELECT o.order_token, h.cart FROM order_hold h
            JOIN orders o ON o.sku_id = h.sku_id AND o.bucket = h.bucket AND o.epoch = h.epoch
              AND o.seq = h.seq
            WHERE h.cart IS NOT NULL""",
            row -> row)
        .forEach(row -> carts.put(row.getString(0), row.getString(1)));
    return carts;
  }

  /** By token, the number of the sale of its SKU that an order is of. */
  public Map<String, Long> saleNos() {
    var saleNos = new LinkedHashMap<String, Long>();
    query("SELECT order_token, sale_no FROM orders", row -> row)
        .forEach(row -> saleNos.put(row.getString(0), row.getLong(1)));
    return saleNos;
  }

  /** Tokens in {@code stock_txn} that have no order. */
  public List<String> txnsWithoutOrder() {
    return query(WITHOUT_ORDER, row -> row.getString(0));
  }

  /** The term of each partition, in their order. */
  public List<Long> terms() {
    return query("SELECT term FROM partition_fence ORDER BY partition_id", row -> row.getLong(0));
  }

  /** By partition, the offset up to which the log is booked. */
  public Map<Integer, Long> nextOffsets() {
    var offsets = new LinkedHashMap<Integer, Long>();
    query("SELECT partition_id, next_offset FROM partition_fence", row -> row)
        .forEach(row -> offsets.put(row.getInteger(0), row.getLong(1)));
    return offsets;
  }

  /** Outbox rows that are not passed on yet; read by index, so it is cheap. */
  public long outboxPending() {
    return count(
        """
        SELECT COUNT(*)
        FROM (SELECT DISTINCT partition_id, kind FROM outbox) pass
        STRAIGHT_JOIN outbox o FORCE INDEX (outbox_by_pass)
          ON o.partition_id = pass.partition_id AND o.kind = pass.kind AND o.status = 'PENDING'""");
  }

  /**
   * SKUs that are oversold or whose counters differ from {@code inventory_view}, in one snapshot.
   */
  public long skusInDisagreement() {
    return count(DISAGREEING);
  }

  /** Orders whose time to pay has ended, or ends within this time. */
  public long holdsEnding(Duration within) {
    return query(ENDING, row -> row.getLong(0), within.toMillis()).get(0);
  }

  public long count(String sql) {
    return query(sql, row -> row.getLong(0)).get(0);
  }

  /** The partition of a bucket; -1 where there is no such bucket. */
  public long partition(long skuId, int bucket) {
    return count(
        "SELECT CAST(COALESCE(MAX(partition_id), -1) AS SIGNED) FROM inventory_bucket"
            + " WHERE sku_id = %d AND bucket = %d".formatted(skuId, bucket));
  }

  /** Rows of any query, for a single test's needs. */
  public <T> List<T> query(String sql, Function<Row, T> mapper, Object... parameters) {
    try {
      return ask(sql, mapper, Tuple.from(parameters))
          // The server may have been restarted since this connection was opened.
          .recover(broken -> ask(sql, mapper, Tuple.from(parameters)))
          .recover(broken -> ask(sql, mapper, Tuple.from(parameters)))
          .await(SQL_LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the database did not answer " + sql, e);
    }
  }

  private <T> Future<List<T>> ask(String sql, Function<Row, T> mapper, Tuple parameters) {
    return pool.preparedQuery(sql)
        .execute(parameters)
        .map(rows -> rows.stream().map(mapper).toList());
  }

  /** Locks the rows of a {@code SELECT ... FOR UPDATE} until this is closed. */
  public Held hold(String sql) {
    try {
      SqlConnection connection = pool.getConnection().await(SQL_LIMIT_S, TimeUnit.SECONDS);
      connection.begin().await(SQL_LIMIT_S, TimeUnit.SECONDS);
      connection.query(sql).execute().await(SQL_LIMIT_S, TimeUnit.SECONDS);
      return () -> connection.close();
    } catch (TimeoutException e) {
      throw new AssertionError("the database did not answer " + sql, e);
    }
  }

  /** Locked rows. */
  public interface Held extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public void close() {
    pool.close();
  }

  private static Stock stock(Row row) {
    return new Stock(
        row.getLong(0), row.getInteger(1), row.getLong(2), row.getLong(3), row.getLong(4));
  }

  private static OrderRow order(Row row) {
    return new OrderRow(
        row.getString(0),
        row.getLong(1),
        row.getInteger(2),
        row.getString(3),
        row.getLong(4),
        row.getString(5),
        row.getString(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getLong(10),
        row.getLong(11));
  }
}
