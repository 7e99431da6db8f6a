package io.sluice.chaos.check;

import io.sluice.testkit.mysql.LedgerReader;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An order as the ledger has it at the end.
 *
 * @param latePaidAtMs 0 where no payment was late
 * @param txns its rows in {@code stock_txn}, oldest first
 */
public record BookedOrder(
    String token,
    long skuId,
    int bucket,
    String userId,
    int qty,
    long epoch,
    long seq,
    String status,
    String reason,
    long version,
    long payBeforeMs,
    long latePaidAtMs,
    long updatedAtMs,
    List<Txn> txns) {
  /** A row of {@code stock_txn}. */
  public record Txn(
      long id, String token, long skuId, int bucket, long qty, String action, long createdAtMs) {
    private static final int ROWS_PER_WRITE = 16;

    /** The number of the transaction, within the bucket. */
    long write() {
      return id / ROWS_PER_WRITE;
    }

    @Override
    public String toString() {
      return "%tT.%<tL %s %d".formatted(createdAtMs, action, qty);
    }
  }

  private static final String ORDERS =
      """
      SELECT order_token, sku_id, bucket, user_id, qty, epoch, seq, status, COALESCE(reason, ''),
             version, pay_before, COALESCE(late_paid_at, 0), updated_at
      FROM orders""";
  private static final String TXNS =
      """
      SELECT id, order_token, sku_id, bucket, qty, action, created_at
      FROM stock_txn ORDER BY id, sku_id, bucket""";

  /** The bucket that its units come from. */
  record Bucket(long skuId, int number) {}

  Bucket home() {
    return new Bucket(skuId, bucket);
  }

  boolean ended() {
    return !status.equals("PENDING");
  }

  public static List<Txn> txns(LedgerReader ledger) {
    return ledger.query(
        TXNS,
        row ->
            new Txn(
                row.getLong(0),
                row.getString(1),
                row.getLong(2),
                row.getInteger(3),
                row.getLong(4),
                row.getString(5),
                row.getLong(6)));
  }

  /** All orders by token. */
  public static Map<String, BookedOrder> all(LedgerReader ledger, List<Txn> txns) {
    Map<String, List<Txn>> byToken = txns.stream().collect(Collectors.groupingBy(Txn::token));
    var orders = new TreeMap<String, BookedOrder>();
    ledger
        .query(ORDERS, row -> of(row, byToken.getOrDefault(row.getString(0), List.of())))
        .forEach(order -> orders.put(order.token(), order));
    return orders;
  }

  private static BookedOrder of(Row row, List<Txn> txns) {
    return new BookedOrder(
        row.getString(0),
        row.getLong(1),
        row.getInteger(2),
        row.getString(3),
        row.getInteger(4),
        row.getLong(5),
        row.getLong(6),
        row.getString(7),
        row.getString(8),
        row.getLong(9),
        row.getLong(10),
        row.getLong(11),
        row.getLong(12),
        txns);
  }
}
