-- Counts rows of a bucket that were moved to the archive, rows of moves that were folded, or rows whose place has changed.
-- PARAMETERS: rows, sku_id, bucket
-- RETURNS: 1 row found
-- INVARIANT: in the transaction that has changed them; the bucket is locked
UPDATE inventory_bucket
SET archived = archived + ?
WHERE sku_id = ? AND bucket = ?
