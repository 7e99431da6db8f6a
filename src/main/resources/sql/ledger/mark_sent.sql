-- Rows that have been passed on.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: may run again
UPDATE outbox FORCE INDEX (PRIMARY)
SET status = 'SENT'
WHERE id IN ({list})
