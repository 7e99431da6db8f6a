-- Takes a partition over at an offset that an operator chose.
-- PARAMETERS: partition_id, next_offset, next_offset again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: the term rises as in a takeover, so the former owner cannot write any more
INSERT INTO partition_fence (partition_id, format, term, next_offset)
VALUES (?, 2, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED), ?)
ON DUPLICATE KEY UPDATE
  term = GREATEST(term + 1, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)), next_offset = ?
