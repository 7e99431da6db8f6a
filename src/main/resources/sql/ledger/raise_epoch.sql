-- Begins a new epoch of a bucket.
-- PARAMETERS: epoch that Redis shows, sku_id, bucket, partition_id
-- RETURNS: 1 row found
-- INVARIANT: grants of older epochs are dropped from now on, also those of epochs that a ledger of
--   an earlier state does not know
UPDATE inventory_bucket
SET epoch = GREATEST(epoch, ?) + 1
WHERE sku_id = ? AND bucket = ? AND partition_id = ?
