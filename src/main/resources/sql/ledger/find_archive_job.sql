-- Finds the SKU that the archive goes on with.
-- PARAMETERS: now
-- RETURNS: sku_id
-- INVARIANT: the one that waits longest; the row is read again once its SKU is locked
SELECT sku_id
FROM archive_job FORCE INDEX (archive_job_by_time)
WHERE due_at <= ?
ORDER BY due_at, sku_id
LIMIT 1
