-- Lists some sales of which SKUs may not have the last version.
-- PARAMETERS: limit
-- RETURNS: sale_id
-- INVARIANT: -
SELECT sale_id
FROM sale FORCE INDEX (sale_behind)
WHERE behind = 1
ORDER BY sale_id
LIMIT ?
