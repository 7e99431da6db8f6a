-- Raises a partition's term, to take it over.
-- PARAMETERS: partition_id, lowest term, partition_id again, lowest term again
-- RETURNS: 1 where a row was inserted, 2 where one was updated
-- INVARIANT: the term only rises, and is at least the database's clock, so that a term lost when the ledger was restored
--   to an earlier state is not issued again; the offset does not change. Without a fence the partition begins at
--   its offset in the foundation, or at its first record where there is none
INSERT INTO partition_fence (partition_id, format, term, next_offset)
VALUES (
  ?,
  2,
  GREATEST(?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)),
  COALESCE((SELECT CAST(value AS SIGNED) FROM foundation WHERE name = CONCAT('kafka_begin.', ?)), 0))
ON DUPLICATE KEY UPDATE term = GREATEST(term + 1, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))
