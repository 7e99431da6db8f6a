-- Lists a page of all orders of a bucket, ended ones included.
-- PARAMETERS: order_token after which to begin, order_token before which to end, limit
-- RETURNS: order_token, user_id, qty, seq, epoch, status, pay_before, created_at
-- INVARIANT: in token order, by primary key: all tokens of a bucket have the same prefix
SELECT order_token, user_id, qty, seq, epoch, status, pay_before, created_at
FROM orders FORCE INDEX (PRIMARY)
WHERE order_token > ? AND order_token < ?
ORDER BY order_token
LIMIT ?
