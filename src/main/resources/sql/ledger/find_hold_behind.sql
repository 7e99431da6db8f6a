-- Finds where the next slice of all booked orders ends.
-- PARAMETERS: after which to begin: sku_id twice, bucket twice, epoch twice, seq; rows of the slice less 1
-- RETURNS: sku_id, bucket, epoch, seq of its last row; nothing where fewer are left
-- INVARIANT: in the order of the primary key
SELECT sku_id, bucket, epoch, seq
FROM order_hold FORCE INDEX (PRIMARY)
WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))
ORDER BY sku_id, bucket, epoch, seq
LIMIT 1 OFFSET ?
