-- Takes a partition over.
-- PARAMETERS: partition_id, partition_id again
-- RETURNS: 1 row written, 2 where it was there
-- INVARIANT: the term only grows; the offset stays. Without a fence the partition begins where it did when the ledger
--   was founded, or at its first record where that is not noted
INSERT INTO partition_fence (partition_id, term, next_offset)
VALUES (
  ?,
  1,
  COALESCE((SELECT CAST(value AS SIGNED) FROM foundation WHERE name = CONCAT('kafka_begin.', ?)), 0))
ON DUPLICATE KEY UPDATE term = term + 1
