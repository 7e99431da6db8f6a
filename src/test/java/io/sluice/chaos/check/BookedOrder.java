package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory.GrantedUnits;
import io.sluice.model.Cart;
import io.sluice.model.OrderToken;
import io.sluice.testkit.mysql.LedgerReader;
import io.vertx.sqlclient.Row;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An order as the ledger has it at the end. Of a cart each line has one; {@link BookedCart} is what
 * they are together.
 *
 * @param latePaidAtMs 0 where no payment was late
 * @param txns its rows in {@code stock_txn}, oldest first
 * @param cart all lines of the order that it is a line of, as it has them; empty where it is alone
 * @param notes how many rows of {@code order_note} it has
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
    List<Txn> txns,
    String cart,
    int notes) {
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

  private static final String CARTS =
      """
      SELECT sku_id, bucket, order_token, cart FROM order_hold WHERE cart IS NOT NULL
      UNION ALL
      SELECT sku_id, bucket, order_token, cart FROM order_reject
      WHERE cart IS NOT NULL AND step = 1""";
  private static final String NOTES = "SELECT sku_id, bucket, order_token FROM order_note";

  /** The bucket that its units come from. */
  record Bucket(long skuId, int number) {}

  Bucket home() {
    return new Bucket(skuId, bucket);
  }

  /** Whether it is one of several lines, or their whole. */
  public boolean isLine() {
    return !cart.isEmpty();
  }

  /** The tokens of all lines, the lead's first; its own where it is alone. */
  List<String> lines() {
    return isLine()
        ? parsed().tokens(OrderToken.parse(token).orElseThrow()).stream()
            .map(OrderToken::value)
            .toList()
        : List.of(token);
  }

  /** What is granted, by SKU id. */
  List<GrantedUnits> granted() {
    return isLine()
        ? parsed().lines().stream()
            .map(line -> new GrantedUnits(line.bucket().skuId(), line.qty(), line.seq()))
            .toList()
        : List.of(new GrantedUnits(skuId, qty, seq));
  }

  Cart parsed() {
    return Cart.parse(cart).orElseThrow();
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
    Map<String, String> carts =
        ledger.query(CARTS, row -> Map.entry(token(row), row.getString(3))).stream()
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    Map<String, Long> notes =
        ledger.query(NOTES, BookedOrder::token).stream()
            .collect(Collectors.groupingBy(token -> token, Collectors.counting()));
    var orders = new TreeMap<String, BookedOrder>();
    ledger
        .query(
            ORDERS,
            row -> {
              String token = row.getString(0);
              return of(
                  row,
                  byToken.getOrDefault(token, List.of()),
                  carts.getOrDefault(token, ""),
                  notes.getOrDefault(token, 0L).intValue());
            })
        .forEach(order -> orders.put(order.token(), order));
    return orders;
  }

  private static String token(Row row) {
    return "%d.%d.%s"
        .formatted(
            row.getLong(0),
            row.getInteger(1),
            Base64.getUrlEncoder().withoutPadding().encodeToString(row.getBuffer(2).getBytes()));
  }

  private static BookedOrder of(Row row, List<Txn> txns, String cart, int notes) {
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
        txns,
        cart,
        notes);
  }
}
