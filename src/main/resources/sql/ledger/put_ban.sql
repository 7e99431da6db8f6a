-- Sets or lifts a ban as an operator wants it.
-- PARAMETERS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at
-- RETURNS: rows written
-- INVARIANT: replaces whatever was there; version rises
INSERT INTO blacklist (user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at)
VALUES {rows 8}
ON DUPLICATE KEY UPDATE
  banned_at = VALUES(banned_at),
  banned_until = VALUES(banned_until),
  watched_until = VALUES(watched_until),
  reason = VALUES(reason),
  banned_by = VALUES(banned_by),
  version = GREATEST(version + 1, VALUES(version)),
  forget_at = VALUES(forget_at)
