-- Lists a page of a partition's buckets that have ended.
-- PARAMETERS: partition_id, sku_id after which to begin, the same again, bucket after which to begin, limit
-- RETURNS: sku_id, bucket
-- INVARIANT: in key order
SELECT sku_id, bucket
FROM inventory_bucket
WHERE partition_id = ? AND ended = 1 AND (sku_id > ? OR (sku_id = ? AND bucket > ?))
ORDER BY sku_id, bucket
LIMIT ?
