-- Lists the next booked orders of a SKU.
-- PARAMETERS: sku_id; after which to begin: bucket twice, epoch twice, seq; limit
-- RETURNS: sku_id, bucket, order_token, epoch, seq
-- INVARIANT: in the order of the primary key; looks at no more than limit
SELECT sku_id, bucket, order_token, epoch, seq
FROM order_hold FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
ORDER BY bucket, epoch, seq
LIMIT ?
