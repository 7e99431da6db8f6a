-- Lists the blacklist's entries that have changed since a version, a page at a time.
-- PARAMETERS: version, user_id and version of the last entry of the page before, maximum number
-- RETURNS: user_id, banned_at, banned_until, watched_until, reason, banned_by, version
-- INVARIANT: in the order of (version, user_id), so that no entry is between two pages
SELECT user_id, banned_at, banned_until, watched_until, reason, banned_by, version
FROM blacklist FORCE INDEX (blacklist_version)
WHERE version >= ? AND (user_id > ? OR version > ?)
ORDER BY version, user_id
LIMIT ?
