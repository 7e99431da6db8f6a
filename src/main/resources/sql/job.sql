-- name: insert_job
-- Starts a job, unless there is one with its id.
-- PARAMETERS: job_id, action, sale_id, sku_id, started_by
-- RETURNS: nothing; one that is there stays
-- INVARIANT: an id is of one job for ever
INSERT INTO order_job (
  job_id, action, sale_id, sku_id, started_by, started_at, state, changed, refused, undone, place, version, worker_until)
VALUES (?, ?, ?, ?, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED), 'RUNNING', 0, 0, 0, '', 1, 0)
ON DUPLICATE KEY UPDATE job_id = job_id

-- name: list_jobs
-- Lists the jobs in a state, the newest first.
-- PARAMETERS: state, limit
-- RETURNS: job_id, action, sale_id, sku_id, started_by, started_at, state, changed, refused, undone, place, version
-- INVARIANT: jobs are few
SELECT job_id, action, sale_id, sku_id, started_by, started_at, state, changed, refused, undone, place, version
FROM order_job FORCE INDEX (order_job_open)
WHERE state = ?
ORDER BY started_at DESC
LIMIT ?

-- name: lock_free_job
-- Reads and locks a running job that no instance works at: the one that has rested longest.
-- PARAMETERS: none
-- RETURNS: job_id, action, sale_id, sku_id, started_by, started_at, state, changed, refused, undone, place, version
-- INVARIANT: running jobs are few
SELECT job_id, action, sale_id, sku_id, started_by, started_at, state, changed, refused, undone, place, version
FROM order_job FORCE INDEX (order_job_open)
WHERE state = 'RUNNING' AND worker_until <= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
ORDER BY worker_until
LIMIT 1
FOR UPDATE

-- name: read_job
-- Reads a job.
-- PARAMETERS: job_id
-- RETURNS: job_id, action, sale_id, sku_id, started_by, started_at, state, changed, refused, undone, place, version
-- INVARIANT: none
SELECT job_id, action, sale_id, sku_id, started_by, started_at, state, changed, refused, undone, place, version
FROM order_job
WHERE job_id = ?

-- name: stop_job
-- Stops a job that is running.
-- PARAMETERS: job_id
-- RETURNS: 1 row found, or 0 if it is not running
-- INVARIANT: its worker does not save any more, since the version has moved
UPDATE order_job
SET state = 'STOPPED', version = version + 1
WHERE job_id = ? AND state = 'RUNNING'

-- name: update_job
-- Saves how far a job is, for the instance that works at it, for so many milliseconds more.
-- PARAMETERS: state, changed, refused, undone, place, milliseconds, job_id, version
-- RETURNS: 1 row found, or 0 if another instance works at it, or it was stopped
-- INVARIANT: one instance saves a version
UPDATE order_job
SET state = ?, changed = ?, refused = ?, undone = ?, place = ?, version = version + 1,
  worker_until = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) + ?
WHERE job_id = ? AND version = ? AND state = 'RUNNING'
