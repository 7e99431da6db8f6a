-- name: insert_correction
-- Records a repair.
-- PARAMETERS: what, before, after, why, created_at
-- RETURNS: nothing
-- INVARIANT: rows are never changed
INSERT INTO correction (what, `before`, `after`, why, created_at)
VALUES (?, ?, ?, ?, ?)

-- name: keep_report
-- Stores a partition's last reconciliation report.
-- PARAMETERS: partition_id, report, report again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: one row per partition
INSERT INTO reconcile_report (partition_id, report)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE report = ?

-- name: list_corrections
-- Lists the last repairs.
-- PARAMETERS: limit
-- RETURNS: what, before, after, why, created_at
-- INVARIANT: newest first
SELECT what, `before`, `after`, why, created_at
FROM correction
ORDER BY id DESC
LIMIT ?

-- name: list_reports
-- Lists the last reconciliation report of each partition.
-- PARAMETERS: none
-- RETURNS: partition_id, report
-- INVARIANT: -
SELECT partition_id, report FROM reconcile_report
