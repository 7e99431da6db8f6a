-- name: delete_lookups
-- Deletes what orders are looked up by.
-- PARAMETERS: hash, found_at, sku_id, bucket, order_token of each
-- RETURNS: rows deleted
-- INVARIANT: by an alias, since MariaDB reads the whole table where a delete of one table has a list of rows
DELETE l
FROM order_lookup l FORCE INDEX (PRIMARY)
WHERE (l.hash, l.found_at, l.sku_id, l.bucket, l.order_token) IN ({rows 5})

-- name: find_orders
-- Lists the next orders that may have a buyer, a name or a payment.
-- PARAMETERS: hash; behind which to begin: found_at twice, sku_id twice, bucket twice, order_token; limit
-- RETURNS: found_at, sku_id, bucket, order_token
-- INVARIANT: the newest first; looks at no more than limit
SELECT found_at, sku_id, bucket, order_token
FROM order_lookup FORCE INDEX (PRIMARY)
WHERE hash = ? AND found_at <= ?
  AND (found_at < ? OR sku_id < ? OR (sku_id = ? AND (bucket < ? OR (bucket = ? AND order_token < ?))))
ORDER BY found_at DESC, sku_id DESC, bucket DESC, order_token DESC
LIMIT ?

-- name: insert_lookups
-- Notes what orders are looked up by.
-- PARAMETERS: hash, found_at, sku_id, bucket, order_token of each
-- RETURNS: nothing
-- INVARIANT: a row that is there stays as it is, so that repeating this changes nothing
INSERT IGNORE INTO order_lookup (hash, found_at, sku_id, bucket, order_token)
VALUES {rows 5}
