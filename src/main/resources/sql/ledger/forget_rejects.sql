-- Gives rejected orders of a buyer the pseudonym in place of the id.
-- PARAMETERS: pseudonym; sku_id, bucket, order_token of each
-- RETURNS: rows found
-- INVARIANT: the buckets are locked; one that was moved to the archive meanwhile is found there
UPDATE order_reject FORCE INDEX (PRIMARY)
SET user_id = ?
WHERE (sku_id, bucket, order_token) IN ({rows 3})
