-- Begins a new epoch of a bucket.
-- PARAMETERS: sku_id, bucket, partition_id
-- RETURNS: 1 row found
-- INVARIANT: grants of older epochs are dropped from now on
UPDATE inventory_bucket
SET epoch = epoch + 1
WHERE sku_id = ? AND bucket = ? AND partition_id = ?
