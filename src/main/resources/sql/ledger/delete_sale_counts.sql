-- Deletes what was counted in sales long ago.
-- PARAMETERS: the time before which, maximum number
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM sale_count
WHERE began_at < ?
ORDER BY began_at
LIMIT ?
