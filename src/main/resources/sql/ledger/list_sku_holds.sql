-- Lists the next booked orders of a SKU, archived ones included.
-- PARAMETERS: sku_id; after which to begin: bucket twice, epoch twice, seq; limit; all of this again; limit
-- RETURNS: sku_id, bucket, order_token, epoch, seq
-- INVARIANT: in the order of the primary keys; looks at no more than limit of each table. One snapshot, so an order is in one
--   of them
(SELECT sku_id, bucket, order_token, epoch, seq
FROM order_hold FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
ORDER BY bucket, epoch, seq
LIMIT ?)
UNION ALL
(SELECT sku_id, bucket, order_token, epoch, seq
FROM archive_hold FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
ORDER BY bucket, epoch, seq
LIMIT ?)
ORDER BY bucket, epoch, seq
LIMIT ?
