-- Reads which orders have these places.
-- PARAMETERS: sku_id, bucket, epoch, seq of each
-- RETURNS: sku_id, bucket, order_token, epoch, seq
-- INVARIANT: read after the buckets are locked, so no further place of theirs is taken
SELECT sku_id, bucket, order_token, epoch, seq
FROM order_hold FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, epoch, seq) IN ({rows 4})
