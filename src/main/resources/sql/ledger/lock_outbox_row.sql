-- Reads and locks an outbox row.
-- PARAMETERS: id, partition_id, created_at
-- RETURNS: status
-- INVARIANT: the effect of a row is applied once; another row that has its id is not found
SELECT status
FROM outbox
WHERE id = ? AND partition_id = ? AND created_at = ?
FOR UPDATE
