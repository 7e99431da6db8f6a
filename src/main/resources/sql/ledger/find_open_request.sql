-- The open request of this key.
-- PARAMETERS: open_key
-- RETURNS: id
-- INVARIANT: read in the transaction that wrote or held it
SELECT id
FROM owner_request
WHERE open_key = ?
