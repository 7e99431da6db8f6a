-- Counts the append-only rows of a SKU, up to a maximum.
-- PARAMETERS: sku_id, maximum
-- RETURNS: rows
-- INVARIANT: reads at most that many entries of one index
SELECT COUNT(*)
FROM (
  SELECT 1
  FROM stock_txn
  WHERE sku_id = ?
  LIMIT ?) counted
