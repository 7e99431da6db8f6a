-- Lists a page of outbox rows to be delivered.
-- PARAMETERS: partition_id, kind, id after which to begin, limit
-- RETURNS: id, partition_id, kind, event_type, payload
-- INVARIANT: in id order; each pass begins at 0, because transactions commit out of order
SELECT id, partition_id, kind, event_type, payload
FROM outbox
WHERE partition_id = ? AND kind = ? AND status = 'PENDING' AND id > ?
ORDER BY id
LIMIT ?
