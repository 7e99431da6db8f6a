-- Lists the next rows of what instances have counted in a sale.
-- PARAMETERS: sale_id; after which to begin: began_at twice, instance_id; limit
-- RETURNS: began_at, instance_id, length_ms, counts
-- INVARIANT: in the order of the primary key; looks at no more than limit
SELECT began_at, instance_id, length_ms, counts
FROM sale_count FORCE INDEX (PRIMARY)
WHERE sale_id = ? AND (began_at > ? OR (began_at = ? AND instance_id > ?))
ORDER BY began_at, instance_id
LIMIT ?
