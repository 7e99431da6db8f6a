-- Starts a new epoch of a bucket.
-- PARAMETERS: epoch in Redis, sku_id, bucket, partition_id
-- RETURNS: 1 row found
-- INVARIANT: grants of older epochs are dropped from now on, also of epochs that only Redis knows
--   because the ledger was restored to an earlier state
UPDATE inventory_bucket
SET epoch = GREATEST(epoch, ?) + 1
WHERE sku_id = ? AND bucket = ? AND partition_id = ?
