-- Deletes instances that have not been seen for so long that they do not count as running.
-- PARAMETERS: minimum milliseconds since they were last seen
-- RETURNS: rows deleted
-- INVARIANT: read_longest_settings counts none of them
DELETE FROM service_instance WHERE seen_at < CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?
