-- name: count_instances
-- Counts the instances that were seen lately.
-- PARAMETERS: maximum milliseconds since they were last seen
-- RETURNS: count
-- INVARIANT: an instance that ended by itself has no row
SELECT COUNT(*)
FROM service_instance
WHERE seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?

-- name: count_older_instances
-- Counts the instances of a lower level that may still run.
-- PARAMETERS: level, maximum milliseconds since they were last seen
-- RETURNS: instances
-- INVARIANT: an instance that stopped by itself has no row; one that is cut off from the ledger may come back
SELECT COUNT(*)
FROM service_instance
WHERE level < ? AND seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?

-- name: delete_instance
-- Deletes an instance that has ended.
-- PARAMETERS: instance_id
-- RETURNS: rows deleted
-- INVARIANT: called by the instance itself, after its last answer to a buyer
DELETE FROM service_instance WHERE instance_id = ?

-- name: delete_lower_levels
-- Ends the levels below one: no instance of theirs gets a row any more.
-- PARAMETERS: level
-- RETURNS: rows deleted
-- INVARIANT: none of them runs; the rows of those that were not seen for long are deleted with their level
DELETE FROM instance_level WHERE level < ?

-- name: delete_old_instances
-- Deletes instances that have not been seen for so long that they do not count as running.
-- PARAMETERS: minimum milliseconds since they were last seen
-- RETURNS: rows deleted
-- INVARIANT: read_longest_settings counts none of them
DELETE FROM service_instance WHERE seen_at < CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?

-- name: keep_instance
-- Records that an instance runs, and its settings.
-- PARAMETERS: instance_id, grant_deadline_ms, sweep_after_ms, level
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: a write, so that it also shows whether this server accepts writes
INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, level, seen_at)
VALUES (?, ?, ?, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))
ON DUPLICATE KEY UPDATE seen_at = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)

-- name: list_running_instances
-- Lists the instances that were seen lately.
-- PARAMETERS: maximum milliseconds since they were last seen
-- RETURNS: instance_id; 20 at most
-- INVARIANT: an instance that ended by itself has no row. One that was seen much later than now was seen before the clock
--   was set back
SELECT instance_id
FROM service_instance
WHERE ABS(seen_at - CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)) <= ?
ORDER BY instance_id
LIMIT 20

-- name: lock_lower_levels
-- Locks the levels below one that may still run.
-- PARAMETERS: level
-- RETURNS: level
-- INVARIANT: the row of an instance refers to its level, so those that are being written are waited for, and none is
--   written until the transaction ends
SELECT level
FROM instance_level
WHERE level < ?
FOR UPDATE

-- name: read_longest_settings
-- Reads the longest deadlines of the instances that may still run.
-- PARAMETERS: maximum milliseconds since they were last seen
-- RETURNS: grant_deadline_ms, sweep_after_ms; 0 where there is no instance
-- INVARIANT: an instance that is cut off from the ledger still grants, so it counts for a long time
SELECT COALESCE(MAX(grant_deadline_ms), 0), COALESCE(MAX(sweep_after_ms), 0)
FROM service_instance
WHERE seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?

-- name: read_longest_window
-- Reads the longest payment window of any SKU.
-- PARAMETERS: none
-- RETURNS: seconds, 0 where there is no SKU
-- INVARIANT: -
SELECT COALESCE(MAX(CAST(JSON_EXTRACT(settings, '$.payment_window_s') AS SIGNED)), 0)
FROM inventory
