-- The oldest rows that were passed on, and are old enough to go.
-- PARAMETERS: partition_id, kind, how many to look at, created_at before
-- RETURNS: id
-- INVARIANT: looks at no more than so many rows, whatever is there
SELECT id
FROM (
  SELECT id, created_at
  FROM outbox
  WHERE partition_id = ? AND kind = ? AND status = 'SENT'
  ORDER BY id
  LIMIT ?) oldest
WHERE created_at < ?
