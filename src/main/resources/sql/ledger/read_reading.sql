-- Reads when a partition could last be read, the shift of payment deadlines after an outage, and how far its holds were
--   looked at.
-- PARAMETERS: partition_id
-- RETURNS: read_at, shift_ms, shift_until, due_from, due_all_at
-- INVARIANT: -
SELECT read_at, shift_ms, shift_until, due_from, due_all_at
FROM partition_reading
WHERE partition_id = ?
