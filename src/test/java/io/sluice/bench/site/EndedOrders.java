package io.sluice.bench.site;

import io.sluice.model.BucketId;
import io.sluice.testkit.Placements;
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
      sql.accept(holdsOf(id, each));
      sql.accept(cancelsOf(id));
      written.accept((long) each * (bucket + 1));
    }
    sql.accept("ANALYZE TABLE order_hold, stock_move");
  }

  private String holdsOf(BucketId id, int orders) {
    return """
        INSERT INTO order_hold (sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before,
          created_at, booked_at, write_no)
        SELECT %1$d, %2$d, %3$d, n + 1, UNHEX(MD5(CONCAT('%1$d.%2$d.', n))), CONCAT('ended-', n), %4$d, 1, 2000,
          1000, 2000, 0
        FROM (%5$s) numbers
        WHERE n < %6$d"""
        .formatted(
            id.skuId(),
            id.bucket(),
            EPOCH,
            Placements.partitionOf(id, partitions),
            LedgerFill.numbers(orders),
            orders);
  }

  private static String cancelsOf(BucketId id) {
    return """
        INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, write_no)
        SELECT sku_id, bucket, epoch, seq, 1, 'CANCEL', 'TIMEOUT', qty, 2000, 0 FROM order_hold
        WHERE sku_id = %d AND bucket = %d AND epoch = %d"""
        .formatted(id.skuId(), id.bucket(), EPOCH);
  }
}
