-- Lists a page of a partition's buckets that have not ended, of SKUs in the same sale as one.
-- PARAMETERS: that sku_id, partition_id, sku_id after which to begin, the same again, bucket after which to begin, limit
-- RETURNS: sku_id, bucket
-- INVARIANT: in key order; nothing where the SKU is in no sale
SELECT b.sku_id, b.bucket
FROM inventory one
JOIN inventory i FORCE INDEX (inventory_by_sale) ON i.sale_id = one.sale_id
JOIN inventory_bucket b FORCE INDEX (PRIMARY) ON b.sku_id = i.sku_id
WHERE one.sku_id = ? AND b.partition_id = ? AND (b.sku_id > ? OR (b.sku_id = ? AND b.bucket > ?)) AND b.ended = 0
ORDER BY b.sku_id, b.bucket
LIMIT ?
