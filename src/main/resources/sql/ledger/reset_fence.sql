-- Takes a partition over at an offset that an operator names.
-- PARAMETERS: partition_id, next_offset, next_offset again
-- RETURNS: 1 row written, 2 where it was there
-- INVARIANT: the term grows as when it is taken over, so the owner of before writes nothing any more
INSERT INTO partition_fence (partition_id, term, next_offset)
VALUES (?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED), ?)
ON DUPLICATE KEY UPDATE
  term = GREATEST(term + 1, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)), next_offset = ?
