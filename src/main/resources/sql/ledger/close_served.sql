-- Closes a request that was served.
-- PARAMETERS: answer, id
-- RETURNS: 1 row found, or 0 where it is closed already
-- INVARIANT: in the transaction that ends its outbox row
UPDATE owner_request
SET status = 'DONE', answer = ?, open_key = NULL
WHERE id = ? AND status = 'SERVED'
