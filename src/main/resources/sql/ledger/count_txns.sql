-- Counts the append-only rows of a SKU, of each kind up to a maximum.
-- PARAMETERS: sku_id and maximum, three times
-- RETURNS: rows
-- INVARIANT: reads at most that many entries of each table
SELECT COUNT(*)
FROM (
  (SELECT 1 FROM restock_row WHERE sku_id = ? LIMIT ?)
  UNION ALL
  (SELECT 1 FROM order_hold FORCE INDEX (PRIMARY) WHERE sku_id = ? LIMIT ?)
  UNION ALL
  (SELECT 1 FROM stock_move WHERE sku_id = ? LIMIT ?)) counted
