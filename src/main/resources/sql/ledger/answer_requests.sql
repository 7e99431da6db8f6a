-- Answers requests, all the same, and closes them.
-- PARAMETERS: answer, id of each
-- RETURNS: rows found, without those that are closed already
-- INVARIANT: each is answered once
UPDATE owner_request
SET status = 'DONE', answer = ?, open_key = NULL
WHERE id IN ({list}) AND status = 'OPEN'
