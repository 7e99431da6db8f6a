-- Reads and holds a row.
-- PARAMETERS: id
-- RETURNS: status
-- INVARIANT: what is done in answer to a row is done once
SELECT status
FROM outbox
WHERE id = ?
FOR UPDATE
