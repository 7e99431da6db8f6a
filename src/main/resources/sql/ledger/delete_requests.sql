-- Removes requests that were answered.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: a request that is open stays
DELETE FROM owner_request
WHERE id IN ({list}) AND status = 'DONE'
