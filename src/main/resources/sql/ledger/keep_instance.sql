-- Records that an instance runs, and its settings.
-- PARAMETERS: instance_id, grant_deadline_ms, sweep_after_ms, level
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: a write, so that it also shows whether this server accepts writes
INSERT INTO service_instance (instance_id, grant_deadline_ms, sweep_after_ms, level, seen_at)
VALUES (?, ?, ?, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))
ON DUPLICATE KEY UPDATE seen_at = CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
