-- Lists the oldest delivered outbox rows that are old enough to be deleted.
-- PARAMETERS: partition_id, kind, maximum to look at, created_at before
-- RETURNS: id
-- INVARIANT: looks at no more than that many rows
SELECT id
FROM (
  SELECT id, created_at
  FROM outbox
  WHERE partition_id = ? AND kind = ? AND status = 'SENT'
  ORDER BY id
  LIMIT ?) oldest
WHERE created_at < ?
