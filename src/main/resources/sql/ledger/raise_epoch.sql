-- Starts a new epoch of a bucket.
-- PARAMETERS: epoch in Redis, sku_id, bucket, partition_id
-- RETURNS: 1 row found
-- INVARIANT: grants of older epochs are dropped from now on, also of epochs that only Redis knows
--   because the ledger was restored to an earlier state; holds that were booked past the log may have a higher one
UPDATE inventory_bucket
SET epoch = GREATEST(epoch, ?, COALESCE((
  SELECT h.epoch FROM order_hold h FORCE INDEX (PRIMARY)
  WHERE h.sku_id = inventory_bucket.sku_id AND h.bucket = inventory_bucket.bucket
  ORDER BY h.sku_id DESC, h.bucket DESC, h.epoch DESC, h.seq DESC LIMIT 1), 0)) + 1
WHERE sku_id = ? AND bucket = ? AND partition_id = ?
