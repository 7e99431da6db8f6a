-- Open requests.
-- PARAMETERS: partition_id of each, limit
-- RETURNS: id, partition_id, kind, payload
-- INVARIANT: oldest first
SELECT id, partition_id, kind, payload
FROM owner_request
WHERE partition_id IN ({list}) AND status = 'OPEN'
ORDER BY id
LIMIT ?
