-- Finds seqs of a bucket that two orders of format 1 have; the keys of format 2 have room for one.
-- PARAMETERS: sku_id and bucket as one text, the same again
-- RETURNS: the least and the greatest order_token of each such seq, as one text; 10 at most
-- INVARIANT: reads the orders of the bucket by the primary key: "/" is the character after "."
SELECT CONCAT(MIN(order_token), ' and ', MAX(order_token))
FROM orders
WHERE order_token > CONCAT(?, '.') AND order_token < CONCAT(?, '/') AND status <> 'REJECTED'
GROUP BY epoch, seq
HAVING COUNT(*) > 1
LIMIT 10
