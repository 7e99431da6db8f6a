-- Lists a page of the rejected orders of a bucket.
-- PARAMETERS: sku_id, bucket, order_token after which to begin, sale_no from which on, limit
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason, cart
-- INVARIANT: in the order of the primary key
SELECT sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason, cart
FROM order_reject FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND bucket = ? AND order_token > ? AND step = 1 AND sale_no >= ?
ORDER BY order_token
LIMIT ?
