package io.sluice.testkit.mysql;

import io.sluice.model.BucketId;
import io.sluice.testkit.Placements;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Fills a ledger with up to millions of orders inside the database: {@code INSERT ... SELECT}, in
 * transactions of at most {@link #SLICE} rows, since a large one fills the undo log and outlasts
 * every time limit. The result is consistent: counters, append-only rows and orders agree.
 */
public record LedgerFill(Consumer<String> sql, int partitions) {
  /** In milliseconds, the year 2100: orders that are not due in any test. */
  static final long NEVER_DUE_MS = 4_102_444_800_000L;

  /** Outbox rows of each kind that stay pending per bucket, whatever its number of orders. */
  public static final int UNSENT = 10;

  /** The maximum number of orders in one statement. */
  static final int SLICE = 50_000;

  /** A sale of some bystanders. */
  public static final String SALE = "sale-1";

  private static final int BYSTANDERS = 300;
  private static final int BYSTANDERS_IN_SALE = 20;

  /** A SKU with this many units in each bucket, and no orders yet. */
  public void sku(long skuId, int buckets, long unitsPerBucket, String mode) {
    sql.accept(
        """
        INSERT INTO inventory (sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state)
        VALUES (%d, %d, '{"payment_window_s":300,"limit_per_user":0,"opens_at":0,"closes_at":0,"ticket":false,
          "low_percent":20,"last_percent":5}', 'OPEN', %2$d, %d, '%s', 'OPEN')\
        """
            .formatted(skuId, buckets * unitsPerBucket, buckets, mode));
    for (int bucket = 0; bucket < buckets; bucket++) {
      int partition = Placements.partitionOf(new BucketId(skuId, bucket), partitions);
      sql.accept(
          "INSERT INTO inventory_bucket (sku_id, bucket, partition_id, allotted) VALUES (%d, %d, %d, %d)"
              .formatted(skuId, bucket, partition, unitsPerBucket));
      sql.accept(
          """
          INSERT INTO restock_row (row_token, sku_id, bucket, qty, created_at, write_no)
          VALUES ('first#%d', %d, %1$d, %d, 1, 0)\
          """
              .formatted(bucket, skuId, unitsPerBucket));
    }
  }

  /** PENDING orders of one unit each, never due, without a move. */
  public void pending(BucketId bucket, int orders) {
    Slice.all(bucket, orders).forEach(slice -> holds(slice, String.valueOf(NEVER_DUE_MS)));
    count(bucket);
  }

  /**
   * Orders of one unit each in all states: half have ended (canceled, refunded), the others are
   * sold or held, and one in a hundred is due. Every order has its events and every ended one its
   * release, most of them sent.
   */
  public void mixed(BucketId bucket, int orders) {
    for (Slice slice : Slice.all(bucket, orders)) {
      holds(slice, "IF(n % 100 = 1, 2000, " + NEVER_DUE_MS + ")");
      moves(slice, 1, "CONFIRM", "0, 3, 4, 5");
      moves(slice, 1, "CANCEL", "6, 7, 8, 9");
      moves(slice, 2, "REFUND", "0");
      outbox(slice, "EVENT", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
      outbox(slice, "RELEASE", "0, 6, 7, 8, 9");
    }
    count(bucket);
    leaveUnsent(bucket, "EVENT");
    leaveUnsent(bucket, "RELEASE");
  }

  /** The ended orders of a bucket, once more in the archive, as those of another SKU. */
  public void archived(BucketId bucket, int orders, long skuId) {
    for (Slice slice : Slice.all(bucket, orders)) {
      String ended = of(bucket) + " AND epoch = 1 AND seq > %d AND seq <= %d";
      String which = ended.formatted(slice.from(), slice.end());
      sql.accept(
          """
          INSERT INTO archive_hold (sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before,
            created_at, booked_at, sale_no, write_no)
          SELECT %d, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at,
            sale_no, write_no
          FROM order_hold WHERE %s AND (seq - 1) %% 10 NOT IN (1, 2)\
          """
              .formatted(skuId, which));
      sql.accept(
          """
          INSERT INTO archive_move (sku_id, bucket, epoch, seq, step, action, qty, created_at, write_no)
          SELECT %d, bucket, epoch, seq, step, action, qty, created_at, write_no FROM stock_move WHERE %s\
          """
              .formatted(skuId, which));
    }
    sql.accept(
        """
        INSERT INTO archive_sum (sku_id, bucket, action, units, entries)
        SELECT sku_id, bucket, 'HOLD', SUM(qty), COUNT(*) FROM archive_hold
        WHERE sku_id = %d AND bucket = %d GROUP BY sku_id, bucket
        UNION ALL
        SELECT sku_id, bucket, action, SUM(qty), COUNT(*) FROM archive_move
        WHERE sku_id = %1$d AND bucket = %2$d GROUP BY sku_id, bucket, action\
        """
            .formatted(skuId, bucket.bucket()));
  }

  /** Units that came to a bucket, one in each move, and left it again with the next one. */
  public void moved(BucketId bucket, int moves) {
    for (Slice slice : Slice.all(bucket, moves / 2 * 2)) {
      sql.accept(
          """
          INSERT INTO restock_row (row_token, sku_id, bucket, qty, created_at, write_no)
          SELECT CONCAT('!move-', n, '#', %d), %d, %1$d, IF(n %% 2 = 0, 1, -1), 1, 0 FROM (%s) numbers\
          """
              .formatted(bucket.bucket(), bucket.skuId(), slice.numbered()));
    }
  }

  /** SKUs of one bucket that have ended, so many in each partition. */
  public void ended(long firstSkuId, int each) {
    String skus = "SELECT n FROM (%s) all_numbers WHERE n < %d";
    String numbered = skus.formatted(numbers(partitions * each), partitions * each);
    sql.accept(
        """
        INSERT INTO inventory (sku_id, total_stock, settings, state, first_stock, buckets, mode, thawed_state)
        SELECT %d + n, 0, '{"payment_window_s":300,"limit_per_user":0,"opens_at":0,"closes_at":0,"ticket":false,
          "low_percent":20,"last_percent":5}', 'ENDED', 0, 1,
          'FAST', 'ENDED' FROM (%s) numbers\
        """
            .formatted(firstSkuId, numbered));
    sql.accept(
        """
        INSERT INTO inventory_bucket (sku_id, bucket, partition_id, allotted, ended)
        SELECT %d + n, 0, n %% %d, 0, 1 FROM (%s) numbers\
        """
            .formatted(firstSkuId, partitions, numbered));
  }

  /** SKUs, requests, restocks, corrections and bans, a few hundred of each. */
  public void bystanders(long firstSkuId) {
    for (long skuId = firstSkuId; skuId < firstSkuId + BYSTANDERS; skuId++) {
      sku(skuId, 1, 1, "FAST");
    }
    sales(firstSkuId);
    sql.accept(
        "INSERT INTO former_place SELECT n DIV %d, %d + n %% %1$d, 0 FROM (%s) numbers"
            .formatted(BYSTANDERS, firstSkuId, numbers(partitions * BYSTANDERS)));
    sql.accept(
        """
        INSERT INTO owner_request (partition_id, kind, payload, status, answer, open_key, created_at)
        SELECT n %% %d, 'LOAD', '{}', IF(n < 5, 'OPEN', 'DONE'), '{}', IF(n < 5, CONCAT('open-', n), NULL), 1
        FROM (%s) numbers\
        """
            .formatted(partitions, numbers(BYSTANDERS)));
    sql.accept(
        """
        INSERT INTO restock (sku_id, restock_id, qty, status)
        SELECT %d, CONCAT('r-', n), 1, 'WORKING' FROM (%s) numbers\
        """
            .formatted(firstSkuId - 1, numbers(BYSTANDERS)));
    sql.accept(
        """
        INSERT INTO restock_part (sku_id, restock_id, bucket, round, units)
        SELECT %d, CONCAT('r-', n), 0, 1, 1 FROM (%s) numbers\
        """
            .formatted(firstSkuId - 1, numbers(BYSTANDERS)));
    sql.accept(
        """
        INSERT INTO correction (what, `before`, `after`, why, created_at)
        SELECT 'filled', '', '', '', 1 FROM (%s) numbers\
        """
            .formatted(numbers(BYSTANDERS)));
    sql.accept(
        """
        INSERT INTO blacklist (user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at)
        SELECT CONCAT('buyer-', n), 1, 2, 3, '', '', 1400 + n, IF(n < 50, n, 4000000000000) FROM (%s) numbers\
        """
            .formatted(numbers(BYSTANDERS)));
    sql.accept(
        """
        INSERT INTO webhook (webhook_id, url, secret, former_secret, former_until, types, form, event_cursor)
        SELECT CONCAT('hook-', n), '', '', '', 0, '*', 'THIN', '0' FROM (%s) numbers WHERE n < 20\
        """
            .formatted(numbers(BYSTANDERS)));
    sql.accept(
        """
        INSERT INTO webhook_delivery
          (webhook_id, message_id, event_type, order_key, event, state, attempts, first_at, next_at, why)
        SELECT CONCAT('hook-', n %% 20), CONCAT('m-', n), '', CONCAT('o-', n DIV 40), '{}',
          IF(n %% 100 < 20, 'FAILED', 'WAITING'), 1, n, 1, '' FROM (%s) numbers\
        """
            .formatted(numbers(10 * BYSTANDERS)));
    sql.accept(
        "INSERT INTO partition_fence (partition_id, term, next_offset) SELECT n, 1, 0 FROM (%s) numbers WHERE n >= %d"
            .formatted(numbers(10), partitions));
  }

  private void sales(long firstSkuId) {
    sql.accept(
        """
        INSERT INTO sale (sale_id, name, opens_at, closes_at, payment_window, carts, ticket, state, version, state_version,
          behind, created_at)
        SELECT CONCAT('sale-', n), 'filled', 0, 0, 60, 0, 0, 'OPEN', 1, 1, n < 5, 1 FROM (%s) numbers\
        """
            .formatted(numbers(BYSTANDERS)));
    sql.accept(
        "UPDATE inventory SET sale_no = 1, sale_id = '%s', sale_version = 1 WHERE sku_id BETWEEN %d AND %d"
            .formatted(SALE, firstSkuId, firstSkuId + BYSTANDERS_IN_SALE - 1));
    sql.accept(
        """
        INSERT INTO earlier_sale (sku_id, sale_no, sale_id, first_stock, total_stock, base, sold, settings, state)
        SELECT sku_id, 1, CONCAT('sale-', 1 + (sku_id - %d) DIV %d), 1, 1, 0, 0, settings, 'ENDED'
        FROM inventory WHERE sku_id >= %d\
        """
            .formatted(
                firstSkuId + BYSTANDERS_IN_SALE,
                BYSTANDERS_IN_SALE,
                firstSkuId + BYSTANDERS_IN_SALE));
    sql.accept(
        "INSERT INTO sale_count (sale_id, began_at, instance_id, length_ms, counts) SELECT '%s', n, 'i', 1, '{}' FROM (%s) numbers"
            .formatted(SALE, numbers(10 * BYSTANDERS)));
    sql.accept(
        "INSERT INTO incident (first_at, instance_id, alarm, last_at, times, text) SELECT n, 'i', 'a', n, 1, 't' FROM (%s) numbers"
            .formatted(numbers(10 * BYSTANDERS)));
  }

  /** Updates the optimizer's statistics. */
  public void analyze() {
    sql.accept(
        "ANALYZE TABLE order_hold, stock_move, restock_row, outbox, inventory, inventory_bucket,"
            + " former_place, archive_hold, archive_move, archive_sum, sale_count, incident");
  }

  /** Some of the orders of a bucket, which are numbered from 0; their seq is one more. */
  private record Slice(BucketId bucket, int from, int end) {
    static List<Slice> all(BucketId bucket, int orders) {
      return IntStream.iterate(0, from -> from < orders, from -> from + SLICE)
          .mapToObj(from -> new Slice(bucket, from, Math.min(orders, from + SLICE)))
          .toList();
    }

    /** The condition for rows of these orders. */
    String where() {
      return of(bucket) + " AND seq > %d AND seq <= %d".formatted(from, end);
    }

    String numbered() {
      return "SELECT n + %d AS n FROM (%s) slice WHERE n < %d"
          .formatted(from, numbers(end - from), end - from);
    }
  }

  private void holds(Slice slice, String payBefore) {
    BucketId bucket = slice.bucket();
    sql.accept(
        """
        INSERT INTO order_hold (sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before,
          created_at, booked_at, write_no)
        SELECT %d, %d, 1, n + 1, UNHEX(LPAD(HEX(n), 32, '0')), CONCAT('filled-', n), %d, 1, %s, 1000, 1000, 1
        FROM (%s) numbers\
        """
            .formatted(
                bucket.skuId(),
                bucket.bucket(),
                Placements.partitionOf(bucket, partitions),
                payBefore,
                slice.numbered()));
  }

  private void moves(Slice slice, int step, String action, String which) {
    sql.accept(
        """
        INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, qty, created_at, write_no)
        SELECT sku_id, bucket, epoch, seq, %d, '%s', qty, created_at, 1 FROM order_hold
        WHERE %s AND epoch = 1 AND (seq - 1) %% 10 IN (%s)\
        """
            .formatted(step, action, slice.where(), which));
  }

  private void outbox(Slice slice, String kind, String which) {
    sql.accept(
        """
        INSERT INTO outbox (partition_id, kind, event_type, payload, status, created_at)
        SELECT partition_id, '%s', 'ORDER_BOOKED',
          CONCAT('[{"order_token":"', sku_id, '.', bucket, '.',
            REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(order_token)), '+', '-'), '/', '_'),
            '","epoch":1,"seq":', seq, '}]'),
          'SENT', created_at
        FROM order_hold
        WHERE %s AND epoch = 1 AND (seq - 1) %% 10 IN (%s)\
        """
            .formatted(kind, slice.where(), which));
  }

  private void leaveUnsent(BucketId bucket, String kind) {
    sql.accept(
        """
        UPDATE outbox SET status = 'PENDING'
        WHERE partition_id = %d AND kind = '%s' AND status = 'SENT'
        ORDER BY id DESC LIMIT %d\
        """
            .formatted(Placements.partitionOf(bucket, partitions), kind, UNSENT));
  }

  private void count(BucketId bucket) {
    sql.accept(
        """
        UPDATE inventory_bucket b
        JOIN (SELECT COUNT(*) AS holds FROM order_hold WHERE %s) h
        JOIN (SELECT COUNT(CASE WHEN action = 'CONFIRM' THEN 1 END) AS confirms,
            COUNT(CASE WHEN action = 'CANCEL' THEN 1 END) AS cancels,
            COUNT(CASE WHEN action = 'REFUND' THEN 1 END) AS refunds
          FROM stock_move WHERE %1$s) m
        SET b.held = h.holds - m.confirms - m.cancels, b.sold = m.confirms - m.refunds, b.writes = 1
        WHERE b.sku_id = %d AND b.bucket = %d\
        """
            .formatted(of(bucket), bucket.skuId(), bucket.bucket()));
  }

  private static String of(BucketId bucket) {
    return "sku_id = %d AND bucket = %d".formatted(bucket.skuId(), bucket.bucket());
  }

  /** A subquery with all numbers of as many digits as the count needs. */
  public static String numbers(int count) {
    int digits = String.valueOf(count - 1).length();
    String digit =
        IntStream.range(1, 10)
            .mapToObj(d -> "SELECT " + d)
            .collect(Collectors.joining(" UNION ALL ", "(SELECT 0 AS d UNION ALL ", ")"));
    String sum =
        IntStream.range(0, digits)
            .mapToObj(i -> "d%d.d * %d".formatted(i, (long) Math.pow(10, i)))
            .collect(Collectors.joining(" + "));
    String from =
        IntStream.range(0, digits)
            .mapToObj(i -> digit + " d" + i)
            .collect(Collectors.joining(" CROSS JOIN "));
    return "SELECT " + sum + " AS n FROM " + from;
  }
}
