-- Says that an instance runs, and with which settings.
-- PARAMETERS: instance_id, grant_deadline_ms, sweep_after_ms
-- RETURNS: 1 row written, 2 where it was there
-- INVARIANT: a write, so that it also tells whether this server takes any
INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, seen_at)
VALUES (?, ?, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))
ON DUPLICATE KEY UPDATE seen_at = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
