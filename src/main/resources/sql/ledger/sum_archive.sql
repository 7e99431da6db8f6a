-- Reads what the archived rows of a SKU add up to.
-- PARAMETERS: sku_id, twice
-- RETURNS: how many rows were archived, units held, confirmed, canceled, refunded
-- INVARIANT: one snapshot; while the number stays the same, no row was moved
SELECT c.moved, a.holds, a.confirms, a.cancels, a.refunds
FROM (
  SELECT CAST(COALESCE(SUM(archived), 0) AS SIGNED) AS moved
  FROM inventory_bucket
  WHERE sku_id = ?) c
JOIN (
  SELECT
    CAST(COALESCE(SUM(CASE WHEN action = 'HOLD' THEN units ELSE 0 END), 0) AS SIGNED) AS holds,
    CAST(COALESCE(SUM(CASE WHEN action = 'CONFIRM' THEN units ELSE 0 END), 0) AS SIGNED) AS confirms,
    CAST(COALESCE(SUM(CASE WHEN action = 'CANCEL' THEN units ELSE 0 END), 0) AS SIGNED) AS cancels,
    CAST(COALESCE(SUM(CASE WHEN action = 'REFUND' THEN units ELSE 0 END), 0) AS SIGNED) AS refunds
  FROM archive_sum
  WHERE sku_id = ?) a
