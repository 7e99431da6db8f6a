-- Answers a request and closes it.
-- PARAMETERS: answer, id
-- RETURNS: 1 row found, or 0 where it is closed already
-- INVARIANT: answered once
UPDATE owner_request
SET status = 'DONE', answer = ?, open_key = NULL
WHERE id = ? AND status = 'OPEN'
