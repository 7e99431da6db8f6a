-- Removes rows that were passed on.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: a row that is not SENT stays
DELETE FROM outbox
WHERE id IN ({list}) AND status = 'SENT'
