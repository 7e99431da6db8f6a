-- Reads when a partition could last be read, and the shift of payment deadlines after an outage.
-- PARAMETERS: partition_id
-- RETURNS: read_at, shift_ms, shift_until
-- INVARIANT: -
SELECT read_at, shift_ms, shift_until
FROM partition_reading
WHERE partition_id = ?
