-- Lists holds whose payment deadline has passed.
-- PARAMETERS: partition_id, pay_before at most, limit
-- RETURNS: order_token
-- INVARIANT: oldest first, by index
SELECT order_token
FROM orders
WHERE partition_id = ? AND status = 'PENDING' AND pay_before <= ?
ORDER BY pay_before
LIMIT ?
