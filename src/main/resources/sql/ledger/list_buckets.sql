-- Lists a page of a partition's buckets that have not ended.
-- PARAMETERS: partition_id (-1: of SKUs that sell in the ledger alone), sku_id after which to begin, the same again, bucket
--   after which to begin, limit
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, state, settings, sale_no,
--   base, since_epoch, units of all buckets of the SKU (null where it
--   has only one), whether its sale has carts
-- INVARIANT: in key order
SELECT b.sku_id, b.bucket, b.partition_id, b.allotted, b.held, b.sold, b.epoch, b.version,
  CASE WHEN b.ended = 1 AND i.state <> 'ARCHIVED' THEN 'ENDED' ELSE i.state END, i.settings, i.sale_no,
  b.base, b.since_epoch,
  CASE WHEN i.buckets > 1 THEN
    (SELECT CAST(SUM(u.allotted - u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = b.sku_id) END, COALESCE(s.carts, 0)
FROM inventory_bucket b
JOIN inventory i ON i.sku_id = b.sku_id
LEFT JOIN sale s ON s.sale_id = i.sale_id
WHERE b.partition_id = ? AND (b.sku_id > ? OR (b.sku_id = ? AND b.bucket > ?)) AND b.ended = 0
  AND (i.mode = 'FAST' OR b.partition_id = -1)
ORDER BY b.sku_id, b.bucket
LIMIT ?
