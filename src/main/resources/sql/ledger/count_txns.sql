-- How many append-only rows a SKU has, as far as they are counted.
-- PARAMETERS: sku_id, how many to count at most
-- RETURNS: rows
-- INVARIANT: reads no more than so many entries of one index
SELECT COUNT(*)
FROM (
  SELECT 1
  FROM stock_txn
  WHERE sku_id = ?
  LIMIT ?) counted
