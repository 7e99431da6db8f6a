package io.sluice.bench.site;

import io.sluice.testkit.mysql.LedgerReader;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Counts in the ledger of any build: only through the names that docs/design.md, section 7 fixes,
 * whatever is a table there and whatever a view, except where a view has no index to answer by.
 */
record LedgerCounts(LedgerReader ledger) {
  /** An order is overdue once a scan for unpaid orders must have seen it. */
  private static final int SCAN_MS = 1_000;

  /** Orders that were due longer ago have been counted before, or their attempt has failed. */
  private static final int LOOK_BACK_MS = 120_000;

  private static final String PARTITIONS =
      IntStream.range(0, Site.PARTITIONS)
          .mapToObj(String::valueOf)
          .collect(Collectors.joining(", "));

  private static final String OVERDUE =
      """
      SELECT COUNT(*) FROM orders WHERE status = 'PENDING'
        AND partition_id IN (%s) AND pay_before BETWEEN UNIX_TIMESTAMP(NOW(3)) * 1000 - %d
          AND UNIX_TIMESTAMP(NOW(3)) * 1000 - %d"""
          .formatted(PARTITIONS, LOOK_BACK_MS, SCAN_MS);

  /** The same by the index of the tables, since the view would be read from end to end. */
  private static final String OVERDUE_HOLDS =
      """
      SELECT COUNT(*) FROM order_hold h
      LEFT JOIN stock_move m
        ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
          AND m.step = 1
      WHERE m.step IS NULL
        AND h.partition_id IN (%s) AND h.pay_before BETWEEN UNIX_TIMESTAMP(NOW(3)) * 1000 - %d
          AND UNIX_TIMESTAMP(NOW(3)) * 1000 - %d"""
          .formatted(PARTITIONS, LOOK_BACK_MS, SCAN_MS);

  private static final String HAS_HOLDS =
      """
      SELECT COUNT(*) FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = 'order_hold'""";

  /** Outbox rows that are not passed on; all columns of the index are named, so it is cheap. */
  long outboxPending() {
    return ledger.count(
        """
        SELECT COUNT(*) FROM outbox
        WHERE partition_id IN (%s) AND kind IN ('EVENT', 'RELEASE', 'RESTOCK', 'DEAD')
          AND status = 'PENDING'"""
            .formatted(PARTITIONS));
  }

  /** Orders whose time to pay is over and that were not canceled yet; none of them was extended. */
  long overdue() {
    return ledger.count(ledger.count(HAS_HOLDS) == 0 ? OVERDUE : OVERDUE_HOLDS);
  }

  /** The stock of these SKUs together. */
  LedgerReader.Stock stock(long firstSku, int skus) {
    return ledger
        .query(
            """
            SELECT CAST(SUM(total) AS SIGNED), CAST(SUM(held) AS SIGNED), CAST(SUM(sold) AS SIGNED)
            FROM inventory_view WHERE sku_id BETWEEN %d AND %d"""
                .formatted(firstSku, firstSku + skus - 1),
            row ->
                new LedgerReader.Stock(
                    firstSku, -1, row.getLong(0), row.getLong(1), row.getLong(2)))
        .get(0);
  }

  /** Units that orders of these SKUs have held, whatever became of them. */
  long everHeld(long firstSku, int skus) {
    return ledger.count(
        """
        SELECT CAST(COALESCE(SUM(qty), 0) AS SIGNED) FROM stock_txn
        WHERE action = 'HOLD' AND sku_id BETWEEN %d AND %d"""
            .formatted(firstSku, firstSku + skus - 1));
  }

  /** The same of every SKU that has orders. */
  Map<Long, Long> everHeld() {
    return ledger
        .query(
            """
            SELECT sku_id, CAST(SUM(qty) AS SIGNED) FROM stock_txn
            WHERE action = 'HOLD' GROUP BY sku_id""",
            row -> Map.entry(row.getLong(0), row.getLong(1)))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Units that orders of these SKUs hold or have, by the counters, so it is cheap. */
  long booked(long firstSku, int skus) {
    return ledger.count(
        "SELECT CAST(SUM(held + sold) AS SIGNED) FROM inventory_bucket WHERE sku_id BETWEEN %d AND %d"
            .formatted(firstSku, firstSku + skus - 1));
  }

  /** The partition of a SKU's first bucket. */
  long partition(long skuId) {
    return ledger.count(
        "SELECT CAST(partition_id AS SIGNED) FROM inventory_bucket WHERE bucket = 0 AND sku_id = "
            + skuId);
  }
}
