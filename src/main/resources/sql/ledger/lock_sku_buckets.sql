-- Reads and locks all bucket rows of a SKU.
-- PARAMETERS: sku_id
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
--   since_epoch
-- INVARIANT: locked in key order, after the SKU's own row
SELECT sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
  since_epoch
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE sku_id = ?
ORDER BY bucket
FOR UPDATE
