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
