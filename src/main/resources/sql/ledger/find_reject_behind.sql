-- Finds where the next slice of all rejected orders ends.
-- PARAMETERS: after which to begin: sku_id twice, bucket twice, order_token; rows of the slice less 1
-- RETURNS: sku_id, bucket, order_token of its last row; nothing where fewer are left
-- INVARIANT: in the order of the primary key
SELECT sku_id, bucket, order_token
FROM order_reject FORCE INDEX (PRIMARY)
WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND order_token > ?))))
ORDER BY sku_id, bucket, order_token, step
LIMIT 1 OFFSET ?
