-- Marks outbox rows as delivered.
-- PARAMETERS: id, partition_id, created_at of each
-- RETURNS: rows found
-- INVARIANT: idempotent; a row that has the id of one of these, and is another one, stays as it is
UPDATE outbox FORCE INDEX (PRIMARY)
SET status = 'SENT'
WHERE (id, partition_id, created_at) IN ({rows 3})
