-- Locks the levels below one that may still run.
-- PARAMETERS: level
-- RETURNS: level
-- INVARIANT: the row of an instance refers to its level, so those that are being written are waited for, and none is
--   written until the transaction ends
SELECT level
FROM instance_level
WHERE level < ?
FOR UPDATE
