-- Deletes jobs whose end nobody asked for, and with them the ids of the buyers.
-- PARAMETERS: done before, limit
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM forget_job
WHERE done_at > 0 AND done_at < ?
ORDER BY done_at
LIMIT ?
