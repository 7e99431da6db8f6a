-- Reads the longest deadlines of the instances that may still run.
-- PARAMETERS: maximum milliseconds since they were last seen
-- RETURNS: grant_deadline_ms, sweep_after_ms; 0 where there is no instance
-- INVARIANT: an instance that is cut off from the ledger still grants, so it counts for a long time
SELECT COALESCE(MAX(grant_deadline_ms), 0), COALESCE(MAX(sweep_after_ms), 0)
FROM service_instance
WHERE seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?
