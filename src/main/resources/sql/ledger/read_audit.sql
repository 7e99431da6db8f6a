-- Sums the append-only rows of a SKU, and its counters.
-- PARAMETERS: sku_id, three times
-- RETURNS: sku_id, total, held, sold, and the counters' total, held, sold
-- INVARIANT: one statement, so one snapshot; the same sums as inventory_view, but written out, because
--   through the view some servers would read the rows of all SKUs
SELECT i.sku_id,
  COALESCE(t.restocked, 0),
  COALESCE(t.holds - t.confirms - t.cancels, 0),
  COALESCE(t.confirms - t.refunds, 0),
  c.total, c.held, c.sold
FROM inventory i
JOIN (
  SELECT sku_id, CAST(SUM(allotted) AS SIGNED) AS total, CAST(SUM(held) AS SIGNED) AS held,
    CAST(SUM(sold) AS SIGNED) AS sold
  FROM inventory_bucket
  WHERE sku_id = ?
  GROUP BY sku_id) c ON c.sku_id = i.sku_id
LEFT JOIN (
  SELECT sku_id,
    CAST(SUM(CASE WHEN action = 'RESTOCK' THEN qty ELSE 0 END) AS SIGNED) AS restocked,
    CAST(SUM(CASE WHEN action = 'HOLD' THEN qty ELSE 0 END) AS SIGNED) AS holds,
    CAST(SUM(CASE WHEN action = 'CONFIRM' THEN qty ELSE 0 END) AS SIGNED) AS confirms,
    CAST(SUM(CASE WHEN action = 'CANCEL' THEN qty ELSE 0 END) AS SIGNED) AS cancels,
    CAST(SUM(CASE WHEN action = 'REFUND' THEN qty ELSE 0 END) AS SIGNED) AS refunds
  FROM stock_txn
  WHERE sku_id = ?
  GROUP BY sku_id) t ON t.sku_id = i.sku_id
WHERE i.sku_id = ?
