-- Bans buyers who have overrun their limit.
-- PARAMETERS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at of each
-- RETURNS: rows written
-- INVARIANT: no ban gets shorter, and a longer one keeps its reason; version rises
INSERT INTO blacklist (user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at)
VALUES {rows 8}
ON DUPLICATE KEY UPDATE
  banned_at = IF(VALUES(banned_until) > banned_until, VALUES(banned_at), banned_at),
  reason = IF(VALUES(banned_until) > banned_until, VALUES(reason), reason),
  banned_by = IF(VALUES(banned_until) > banned_until, VALUES(banned_by), banned_by),
  banned_until = GREATEST(banned_until, VALUES(banned_until)),
  watched_until = GREATEST(watched_until, VALUES(watched_until)),
  version = GREATEST(version + 1, VALUES(version)),
  forget_at = GREATEST(forget_at, VALUES(forget_at))
