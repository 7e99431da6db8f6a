-- Sums the append-only rows of a SKU, and its counters.
-- PARAMETERS: sku_id, six times
-- RETURNS: sku_id, total, held, sold, the counters' total, held, sold, and the number of buckets
-- INVARIANT: one statement, so one snapshot; the same sums as inventory_view, but written out, because
--   through the view some servers would read the rows of all SKUs
SELECT i.sku_id,
  r.restocked,
  h.holds + a.holds - m.confirms - a.confirms - m.cancels - a.cancels,
  m.confirms + a.confirms - m.refunds - a.refunds,
  c.total, c.held, c.sold,
  i.buckets
FROM inventory i
JOIN (
  SELECT CAST(SUM(allotted) AS SIGNED) AS total, CAST(SUM(held) AS SIGNED) AS held,
    CAST(SUM(sold) AS SIGNED) AS sold
  FROM inventory_bucket
  WHERE sku_id = ?) c
JOIN (
  SELECT CAST(COALESCE(SUM(qty), 0) AS SIGNED) AS restocked
  FROM restock_row
  WHERE sku_id = ?) r
JOIN (
  SELECT CAST(COALESCE(SUM(qty), 0) AS SIGNED) AS holds
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id = ?) h
JOIN (
  SELECT
    CAST(COALESCE(SUM(CASE WHEN action = 'CONFIRM' THEN qty ELSE 0 END), 0) AS SIGNED) AS confirms,
    CAST(COALESCE(SUM(CASE WHEN action = 'CANCEL' THEN qty ELSE 0 END), 0) AS SIGNED) AS cancels,
    CAST(COALESCE(SUM(CASE WHEN action = 'REFUND' THEN qty ELSE 0 END), 0) AS SIGNED) AS refunds
  FROM stock_move
  WHERE sku_id = ?) m
JOIN (
  SELECT
    CAST(COALESCE(SUM(CASE WHEN action = 'HOLD' THEN units ELSE 0 END), 0) AS SIGNED) AS holds,
    CAST(COALESCE(SUM(CASE WHEN action = 'CONFIRM' THEN units ELSE 0 END), 0) AS SIGNED) AS confirms,
    CAST(COALESCE(SUM(CASE WHEN action = 'CANCEL' THEN units ELSE 0 END), 0) AS SIGNED) AS cancels,
    CAST(COALESCE(SUM(CASE WHEN action = 'REFUND' THEN units ELSE 0 END), 0) AS SIGNED) AS refunds
  FROM archive_sum
  WHERE sku_id = ?) a
WHERE i.sku_id = ?
