-- Lists the oldest answered requests that are old enough to be deleted.
-- PARAMETERS: partition_id, maximum to look at, created_at before
-- RETURNS: id
-- INVARIANT: looks at no more than that many rows
SELECT id
FROM (
  SELECT id, created_at
  FROM owner_request
  WHERE partition_id = ? AND status = 'DONE'
  ORDER BY id
  LIMIT ?) oldest
WHERE created_at < ?
