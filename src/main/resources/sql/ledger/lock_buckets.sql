-- Reads and locks bucket rows.
-- PARAMETERS: sku_id and bucket of each
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
--   since_epoch
-- INVARIANT: every transaction locks in key order, so two never wait for each other; the index is
--   forced, because a scan would also wait for rows of other owners
SELECT sku_id, bucket, partition_id, allotted, held, sold, epoch, version, writes, rejects, notes, archived, base,
  since_epoch
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE {buckets}
ORDER BY sku_id, bucket
FOR UPDATE
