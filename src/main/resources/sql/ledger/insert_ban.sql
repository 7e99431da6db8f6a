-- Bans a buyer who has no entry.
-- PARAMETERS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at
-- RETURNS: rows written
-- INVARIANT: a duplicate key where somebody has banned him meanwhile; the transaction runs again then
INSERT INTO blacklist (user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at)
VALUES {rows 8}
