-- The oldest requests that were answered, and are old enough to go.
-- PARAMETERS: partition_id, how many to look at, created_at before
-- RETURNS: id
-- INVARIANT: looks at no more than so many rows, whatever is there
SELECT id
FROM (
  SELECT id, created_at
  FROM owner_request
  WHERE partition_id = ? AND status = 'DONE'
  ORDER BY id
  LIMIT ?) oldest
WHERE created_at < ?
