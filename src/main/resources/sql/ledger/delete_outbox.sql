-- Deletes outbox rows that were delivered.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: only SENT rows are deleted
DELETE FROM outbox
WHERE id IN ({list}) AND status = 'SENT'
