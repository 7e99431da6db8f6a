-- Reads and holds bucket rows.
-- PARAMETERS: sku_id and bucket of each
-- RETURNS: sku_id, bucket, partition_id, allotted, held, sold, epoch, version
-- INVARIANT: locked in key order by all, so two transactions never wait for each other; the index is
--   forced since a scan would also wait for the rows of other owners
SELECT sku_id, bucket, partition_id, allotted, held, sold, epoch, version
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE {buckets}
ORDER BY sku_id, bucket
FOR UPDATE
