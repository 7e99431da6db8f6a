-- Counts the instances of a lower level that may still run.
-- PARAMETERS: level, maximum milliseconds since they were last seen
-- RETURNS: instances
-- INVARIANT: an instance that stopped by itself has no row; one that is cut off from the ledger may come back
SELECT COUNT(*)
FROM service_instance
WHERE level < ? AND seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?
