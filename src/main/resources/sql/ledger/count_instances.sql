-- Counts the instances that were seen lately.
-- PARAMETERS: maximum milliseconds since they were last seen
-- RETURNS: count
-- INVARIANT: an instance that ended by itself has no row
SELECT COUNT(*)
FROM service_instance
WHERE seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?
