-- When a partition could last be read, and what follows from when it could not.
-- PARAMETERS: partition_id
-- RETURNS: read_at, shift_ms, shift_until
-- INVARIANT: -
SELECT read_at, shift_ms, shift_until
FROM partition_reading
WHERE partition_id = ?
