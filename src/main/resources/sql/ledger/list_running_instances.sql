-- Lists the instances that were seen lately.
-- PARAMETERS: maximum milliseconds since they were last seen, the same again
-- RETURNS: instance_id; 20 at most
-- INVARIANT: an instance that ended by itself has no row; one that was seen later than now was seen before the clock was set back
SELECT instance_id
FROM service_instance
WHERE seen_at >= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - ?
  AND seen_at <= CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) + ?
ORDER BY instance_id
LIMIT 20
