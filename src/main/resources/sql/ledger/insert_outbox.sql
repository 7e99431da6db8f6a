-- Inserts outbox rows to be delivered.
-- PARAMETERS: partition_id, kind, event_type, payload, created_at of each
-- RETURNS: nothing
-- INVARIANT: ids rise in the order of the rows
INSERT INTO outbox (partition_id, kind, event_type, payload, created_at)
VALUES {rows 5}
