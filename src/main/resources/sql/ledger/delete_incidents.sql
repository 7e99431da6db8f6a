-- Deletes alarms that were raised long ago.
-- PARAMETERS: the time before which, maximum number
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM incident
WHERE first_at < ?
ORDER BY first_at
LIMIT ?
