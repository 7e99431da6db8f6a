-- Counts the outbox rows of a kind that are to be delivered.
-- PARAMETERS: partition_id, kind, the highest number that is counted
-- RETURNS: their number
-- INVARIANT: looks at no more than that many rows
SELECT COUNT(*)
FROM (
  SELECT id
  FROM outbox
  WHERE partition_id = ? AND kind = ? AND status = 'PENDING'
  ORDER BY id
  LIMIT ?) waiting
