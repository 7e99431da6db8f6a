-- name: ban_overrunners
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

-- name: delete_bans
-- Deletes entries of the blacklist that have no effect any more.
-- PARAMETERS: maximum number
-- RETURNS: rows deleted
-- INVARIANT: every instance has had the time to read the last change of each
DELETE FROM blacklist
WHERE forget_at < CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
ORDER BY forget_at
LIMIT ?

-- name: insert_ban
-- Bans a buyer who has no entry.
-- PARAMETERS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at
-- RETURNS: rows written
-- INVARIANT: a duplicate key where somebody has banned him meanwhile; the transaction runs again then
INSERT INTO blacklist (user_id, banned_at, banned_until, watched_until, reason, banned_by, version, forget_at)
VALUES {rows 8}

-- name: list_bans
-- Lists the blacklist's entries that have changed since a version, a page at a time.
-- PARAMETERS: version, user_id and version of the last entry of the page before, maximum number
-- RETURNS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version
-- INVARIANT: in the order of (version, user_id), so that no entry is between two pages
SELECT user_id, banned_at, banned_until, watched_until, reason, banned_by, version
FROM blacklist FORCE INDEX (blacklist_version)
WHERE version >= ? AND (user_id > ? OR version > ?)
ORDER BY version, user_id
LIMIT ?

-- name: lock_ban
-- Reads and locks the blacklist's entry of a buyer.
-- PARAMETERS: user_id
-- RETURNS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version
-- INVARIANT: what an operator changes is the entry as it was read; where there is none, only a plain insert sees another one's
SELECT user_id, banned_at, banned_until, watched_until, reason, banned_by, version
FROM blacklist
WHERE user_id = ?
FOR UPDATE

-- name: put_ban
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

-- name: read_bans
-- Reads the blacklist's entries of some buyers.
-- PARAMETERS: user_id of each
-- RETURNS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version
-- INVARIANT: includes bans that are over or lifted, until they are deleted
SELECT user_id, banned_at, banned_until, watched_until, reason, banned_by, version
FROM blacklist
WHERE user_id IN ({list})
