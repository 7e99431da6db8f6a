-- Ends a bucket, once nothing of it is held.
-- PARAMETERS: sku_id, bucket
-- RETURNS: 1 row found where it ends now
-- INVARIANT: its SKU is locked, and ENDING; its epoch was raised in the same transaction, so no grant of before is booked
--   any more
UPDATE inventory_bucket
SET ended = 1
WHERE sku_id = ? AND bucket = ? AND held = 0 AND ended = 0
