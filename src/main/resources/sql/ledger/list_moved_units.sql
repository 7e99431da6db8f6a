-- Lists the next rows of units that have moved between buckets of a SKU.
-- PARAMETERS: sku_id, limit
-- RETURNS: row_token, bucket, qty, created_at, write_no
-- INVARIANT: by key; without those that add_moved_units.sql has written, whose tokens go on with '#'
SELECT row_token, bucket, qty, created_at, write_no
FROM restock_row FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND row_token >= '!move-0' AND row_token < '!move-:'
ORDER BY row_token
LIMIT ?
