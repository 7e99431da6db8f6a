-- Sums a slice of a SKU's append-only rows of one action, grouped by their units.
-- PARAMETERS: id up to which rows count, sku_id, action, qty after which to begin, the same again, id after which to
--   begin, limit
-- RETURNS: qty, rows, rows that count, the last id, of each qty in order
-- INVARIANT: in the order of one index; at most limit entries are read
SELECT slice.qty, COUNT(*), CAST(SUM(slice.id <= ?) AS SIGNED), MAX(slice.id)
FROM (
  SELECT qty, id
  FROM stock_txn FORCE INDEX (stock_txn_by_sku)
  WHERE sku_id = ? AND action = ? AND (qty > ? OR (qty = ? AND id > ?))
  ORDER BY qty, id
  LIMIT ?) slice
GROUP BY slice.qty
ORDER BY slice.qty
