-- Takes a partition over.
-- PARAMETERS: partition_id
-- RETURNS: 1 row written, 2 where it was there
-- INVARIANT: the term only grows; the offset stays
INSERT INTO partition_fence (partition_id, term, next_offset)
VALUES (?, 1, 0)
ON DUPLICATE KEY UPDATE term = term + 1
