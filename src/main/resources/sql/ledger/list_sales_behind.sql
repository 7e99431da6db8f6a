-- Lists some sales of which SKUs may not have the last version.
-- PARAMETERS: sale_id after which to begin, limit
-- RETURNS: sale_id
-- INVARIANT: in id order
SELECT sale_id
FROM sale FORCE INDEX (sale_behind)
WHERE behind = 1 AND sale_id > ?
ORDER BY sale_id
LIMIT ?
