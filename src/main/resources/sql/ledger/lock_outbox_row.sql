-- Reads and locks an outbox row.
-- PARAMETERS: id
-- RETURNS: status
-- INVARIANT: the effect of a row is applied once
SELECT status
FROM outbox
WHERE id = ?
FOR UPDATE
