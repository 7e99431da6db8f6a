-- Stores a partition's last reconciliation report.
-- PARAMETERS: partition_id, report, report again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: one row per partition
INSERT INTO reconcile_report (partition_id, report)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE report = ?
