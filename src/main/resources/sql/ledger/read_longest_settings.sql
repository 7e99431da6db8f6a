-- The longest deadlines of the instances that may still run.
-- PARAMETERS: milliseconds since they were last seen, at most
-- RETURNS: grant_deadline_ms, sweep_after_ms; 0 where there is no instance
-- INVARIANT: an instance that was cut off from the ledger goes on granting, so it counts for long
SELECT COALESCE(MAX(grant_deadline_ms), 0), COALESCE(MAX(sweep_after_ms), 0)
FROM service_instance
WHERE seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?
