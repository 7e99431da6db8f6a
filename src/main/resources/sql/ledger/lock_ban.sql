-- Reads and locks the blacklist's entry of a buyer.
-- PARAMETERS: user_id
-- RETURNS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version
-- INVARIANT: what an operator changes is the entry as it was read; where there is none, only a plain insert sees another one's
SELECT user_id, banned_at, banned_until, watched_until, reason, banned_by, version
FROM blacklist
WHERE user_id = ?
FOR UPDATE
