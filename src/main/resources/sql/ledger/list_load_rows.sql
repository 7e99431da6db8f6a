-- A page of all orders that a bucket ever had.
-- PARAMETERS: order_token after which to begin, order_token before which to end, limit
-- RETURNS: order_token, user_id, qty, seq, epoch, status, pay_before, created_at
-- INVARIANT: in the order of tokens, by primary key: the tokens of a bucket begin alike
SELECT order_token, user_id, qty, seq, epoch, status, pay_before, created_at
FROM orders FORCE INDEX (PRIMARY)
WHERE order_token > ? AND order_token < ?
ORDER BY order_token
LIMIT ?
