-- Lists a page of outbox rows to be delivered.
-- PARAMETERS: partition_id, kind, id after which to begin, limit
-- RETURNS: id, partition_id, kind, event_type, payload, created_at, age in milliseconds
-- INVARIANT: in id order; each pass begins at 0, because transactions commit out of order
SELECT id, partition_id, kind, event_type, payload, created_at,
  CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - created_at
FROM outbox
WHERE partition_id = ? AND kind = ? AND status = 'PENDING' AND id > ?
ORDER BY id
LIMIT ?
