-- Keeps when a partition could last be read, and what follows from when it could not.
-- PARAMETERS: partition_id, read_at, shift_ms, shift_until, and the last three again
-- RETURNS: 1 row written, 2 where another one was there
-- INVARIANT: in a transaction that holds the fence, so that an owner of before changes nothing
INSERT INTO partition_reading (partition_id, read_at, shift_ms, shift_until)
VALUES (?, ?, ?, ?)
ON DUPLICATE KEY UPDATE read_at = ?, shift_ms = ?, shift_until = ?
