-- Takes a partition over at an offset that an operator names.
-- PARAMETERS: partition_id, next_offset, next_offset again
-- RETURNS: 1 row written, 2 where it was there
-- INVARIANT: the term only grows, so the owner of before writes nothing any more
INSERT INTO partition_fence (partition_id, term, next_offset)
VALUES (?, 1, ?)
ON DUPLICATE KEY UPDATE term = term + 1, next_offset = ?
