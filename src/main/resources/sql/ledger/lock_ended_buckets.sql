-- Reads and locks the bucket rows of SKUs that have ended.
-- PARAMETERS: sku_id of each
-- RETURNS: as of lock_sku_buckets
-- INVARIANT: locked in key order, after the rows of the SKUs
SELECT sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
  since_epoch
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE sku_id IN ({list}) AND ended = 1
ORDER BY sku_id, bucket
FOR UPDATE
