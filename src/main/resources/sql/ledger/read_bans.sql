-- Reads the blacklist's entries of some buyers.
-- PARAMETERS: user_id of each
-- RETURNS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version
-- INVARIANT: includes bans that are over or lifted, until they are deleted
SELECT user_id, banned_at, banned_until, watched_until, reason, banned_by, version
FROM blacklist
WHERE user_id IN ({list})
