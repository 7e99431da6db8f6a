-- Finds seqs that two orders of format 1 have; the keys of format 2 have room for one.
-- PARAMETERS: none
-- RETURNS: the least and the greatest order_token of each such seq, as one text; 10 at most
-- INVARIANT: reads the whole table, once before it is migrated
SELECT CONCAT(MIN(order_token), ' and ', MAX(order_token))
FROM orders
WHERE status <> 'REJECTED'
GROUP BY sku_id, bucket, epoch, seq
HAVING COUNT(*) > 1
LIMIT 10
