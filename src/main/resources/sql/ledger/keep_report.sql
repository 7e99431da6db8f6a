-- Keeps a partition's last report.
-- PARAMETERS: partition_id, report, report again
-- RETURNS: 1 row written, 2 where it was there
-- INVARIANT: one row per partition
INSERT INTO reconcile_report (partition_id, report)
VALUES (?, ?)
ON DUPLICATE KEY UPDATE report = ?
