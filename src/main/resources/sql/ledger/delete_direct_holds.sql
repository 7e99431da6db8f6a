-- Forgets some of those by whom the holds of a bucket are.
-- PARAMETERS: sku_id, bucket, maximum
-- RETURNS: rows deleted
-- INVARIANT: only where its SKU is ENDING, so that no hold is added and no limit asks for them
DELETE FROM direct_hold
WHERE sku_id = ? AND bucket = ?
LIMIT ?
