-- Reads the answer to a request.
-- PARAMETERS: id
-- RETURNS: answer
-- INVARIANT: null while it is open
SELECT answer
FROM owner_request
WHERE id = ?
