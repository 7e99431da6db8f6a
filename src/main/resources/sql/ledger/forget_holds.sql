-- Gives booked orders of a buyer the pseudonym in place of the id.
-- PARAMETERS: pseudonym; sku_id, bucket, epoch, seq of each
-- RETURNS: rows found
-- INVARIANT: the buckets are locked; one that was moved to the archive meanwhile is found there
UPDATE order_hold FORCE INDEX (PRIMARY)
SET user_id = ?
WHERE (sku_id, bucket, epoch, seq) IN ({rows 4})
