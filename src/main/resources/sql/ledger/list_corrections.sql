-- Lists the last repairs.
-- PARAMETERS: limit
-- RETURNS: what, before, after, why, created_at
-- INVARIANT: newest first
SELECT what, `before`, `after`, why, created_at
FROM correction
ORDER BY id DESC
LIMIT ?
