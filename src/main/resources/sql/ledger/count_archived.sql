-- Counts rows of a bucket that were moved to the archive, or rows of moves that were folded.
-- PARAMETERS: rows, sku_id, bucket
-- RETURNS: 1 row found
-- INVARIANT: in the transaction that has moved or folded them; the bucket is locked
UPDATE inventory_bucket
SET archived = archived + ?
WHERE sku_id = ? AND bucket = ?
