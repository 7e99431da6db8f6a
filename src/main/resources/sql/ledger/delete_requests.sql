-- Deletes requests that were answered.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: open requests are not deleted
DELETE FROM owner_request
WHERE id IN ({list}) AND status = 'DONE'
