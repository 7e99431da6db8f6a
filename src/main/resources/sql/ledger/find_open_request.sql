-- Finds the open request with this key.
-- PARAMETERS: open_key
-- RETURNS: id
-- INVARIANT: read in the transaction that wrote or locked it
SELECT id
FROM owner_request
WHERE open_key = ?
