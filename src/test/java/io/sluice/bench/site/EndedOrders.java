package io.sluice.bench.site;

import io.sluice.model.BucketId;
import io.sluice.testkit.mysql.LedgerFill;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Writes canceled orders of a SKU straight into a ledger, one {@code INSERT ... SELECT} per bucket
 * and table. Their tokens are as random as the service's, so that new orders fall between them; the
 * counters and Redis stay as they are, since nothing is held or sold. Only this class of the bench
 * knows how the rows of an order look.
 */
public final class EndedOrders {
  /** An epoch that no bucket has, so that no grant's number is taken. */
  private static final int EPOCH = 0;

  private final Consumer<String> sql;
  private final int partitions;

  /**
   * @param sql runs a statement
   */
  public EndedOrders(Consumer<String> sql, int partitions) {
    this.sql = sql;
    this.partitions = partitions;
  }

  /** Orders of one unit each, evenly in all buckets; {@code written} is told how many there are. */
  public void write(long skuId, int buckets, int orders, LongConsumer written) {
    int each = orders / buckets;
    for (int bucket = 0; bucket < buckets; bucket++) {
      BucketId id = new BucketId(skuId, bucket);
      sql.accept(ordersOf(id, each));
      sql.accept(movesOf(id, "HOLD"));
      sql.accept(movesOf(id, "CANCEL"));
      written.accept((long) each * (bucket + 1));
    }
    sql.accept("ANALYZE TABLE orders, stock_txn");
  }

  private String ordersOf(BucketId id, int orders) {
    return """
        INSERT INTO orders (order_token, user_id, sku_id, bucket, partition_id, qty, seq, epoch, status, reason,
          version, pay_before, late_paid_at, created_at, updated_at)
        SELECT CONCAT('%1$d.%2$d.', SUBSTR(REPLACE(REPLACE(TO_BASE64(UNHEX(MD5(CONCAT('%1$d.%2$d.', n)))),
            '+', '-'), '/', '_'), 1, 22)),
          CONCAT('ended-', n), %1$d, %2$d, %3$d, 1, n + 1, %4$d, 'CANCELED', 'TIMEOUT', 2, 2000, NULL, 1000, 2000
        FROM (%5$s) numbers
        WHERE n < %6$d"""
        .formatted(
            id.skuId(),
            id.bucket(),
            id.partition(partitions),
            EPOCH,
            LedgerFill.numbers(orders),
            orders);
  }

  private static String movesOf(BucketId id, String action) {
    return """
        INSERT INTO stock_txn (order_token, sku_id, bucket, qty, action, created_at)
        SELECT order_token, sku_id, bucket, qty, '%s', updated_at FROM orders
        WHERE order_token LIKE '%d.%d.%%' AND epoch = %d"""
        .formatted(action, id.skuId(), id.bucket(), EPOCH);
  }
}
