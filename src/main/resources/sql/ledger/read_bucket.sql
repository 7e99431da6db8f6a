-- Reads one bucket, with the state and settings of its SKU.
-- PARAMETERS: sku_id, bucket
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, state (ENDED once the bucket is), settings,
--   sale_no, base, since_epoch, units of all buckets of the SKU (null where it
--   has only one), whether its sale has carts
-- INVARIANT: one snapshot of both rows
SELECT b.sku_id, b.bucket, b.partition_id, b.allotted, b.held, b.sold, b.epoch, b.version,
  CASE WHEN b.ended = 1 AND i.state <> 'ARCHIVED' THEN 'ENDED' ELSE i.state END, i.settings, i.sale_no,
  b.base, b.since_epoch,
  CASE WHEN i.buckets > 1 THEN
    (SELECT CAST(SUM(u.allotted - u.base) AS SIGNED) FROM inventory_bucket u WHERE u.sku_id = b.sku_id) END, COALESCE(s.carts, 0)
FROM inventory_bucket b
JOIN inventory i ON i.sku_id = b.sku_id
LEFT JOIN sale s ON s.sale_id = i.sale_id
WHERE b.sku_id = ? AND b.bucket = ?
