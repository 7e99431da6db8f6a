-- Marks outbox rows as delivered.
-- PARAMETERS: id of each
-- RETURNS: rows found
-- INVARIANT: idempotent
UPDATE outbox FORCE INDEX (PRIMARY)
SET status = 'SENT'
WHERE id IN ({list})
