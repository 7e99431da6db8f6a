-- Deletes entries of the blacklist that have no effect any more.
-- PARAMETERS: maximum number
-- RETURNS: rows deleted
-- INVARIANT: every instance has had the time to read the last change of each
DELETE FROM blacklist
WHERE forget_at < CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
ORDER BY forget_at
LIMIT ?
