-- A page of what is to be passed on.
-- PARAMETERS: partition_id, kind, limit
-- RETURNS: id, partition_id, kind, event_type, payload
-- INVARIANT: in the order of ids, never from a remembered id: transactions commit out of order
SELECT id, partition_id, kind, event_type, payload
FROM outbox
WHERE partition_id = ? AND kind = ? AND status = 'PENDING'
ORDER BY id
LIMIT ?
