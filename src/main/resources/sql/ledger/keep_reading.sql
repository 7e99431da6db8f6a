-- Stores when a partition could last be read, the shift of payment deadlines after an outage, and how far its holds were
--   looked at.
-- PARAMETERS: partition_id, read_at, shift_ms, shift_until, due_from, due_all_at, and the last five again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: in a transaction that has locked the fence, so that a former owner changes nothing
INSERT INTO partition_reading (partition_id, read_at, shift_ms, shift_until, due_from, due_all_at)
VALUES (?, ?, ?, ?, ?, ?)
ON DUPLICATE KEY UPDATE read_at = ?, shift_ms = ?, shift_until = ?, due_from = ?, due_all_at = ?
