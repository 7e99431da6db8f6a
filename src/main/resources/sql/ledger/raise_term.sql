-- Takes a partition over.
-- PARAMETERS: partition_id, lowest term, partition_id again, lowest term again
-- RETURNS: 1 row written, 2 where it was there
-- INVARIANT: the term only grows, and is at least the database's clock: one that was lost when the ledger was put back
--   to an earlier state is not given again; the offset stays. Without a fence the partition begins where it did when
--   the ledger was founded, or at its first record where that is not noted
INSERT INTO partition_fence (partition_id, term, next_offset)
VALUES (
  ?,
  GREATEST(?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)),
  COALESCE((SELECT CAST(value AS SIGNED) FROM foundation WHERE name = CONCAT('kafka_begin.', ?)), 0))
ON DUPLICATE KEY UPDATE term = GREATEST(term + 1, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))
