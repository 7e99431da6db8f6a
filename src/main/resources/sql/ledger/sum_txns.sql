-- A slice of a SKU's append-only rows, those of one action and as many units added up.
-- PARAMETERS: id up to which rows count, sku_id, action after which to begin, the same again, qty after which to
--   begin, the same again, id after which to begin, limit
-- RETURNS: action, qty, rows, rows that count, the last id, of each action and qty in their order
-- INVARIANT: in the order of one index, of which no more than so many entries are read
SELECT slice.action, slice.qty, COUNT(*), CAST(SUM(slice.id <= ?) AS SIGNED), MAX(slice.id)
FROM (
  SELECT action, qty, id
  FROM stock_txn FORCE INDEX (stock_txn_by_sku)
  WHERE sku_id = ? AND (action > ? OR (action = ? AND (qty > ? OR (qty = ? AND id > ?))))
  ORDER BY action, qty, id
  LIMIT ?) slice
GROUP BY slice.action, slice.qty
ORDER BY slice.action, slice.qty
