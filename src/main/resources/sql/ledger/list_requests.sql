-- Open requests.
-- PARAMETERS: id that they are above, partition_id of each, limit
-- RETURNS: id, partition_id, kind, payload
-- INVARIANT: oldest first; the hint keeps MySQL from walking over all answered ones in the order of ids
SELECT id, partition_id, kind, payload
FROM owner_request FORCE INDEX (owner_request_by_partition)
WHERE id > ? AND partition_id IN ({list}) AND status = 'OPEN'
ORDER BY id
LIMIT ?
