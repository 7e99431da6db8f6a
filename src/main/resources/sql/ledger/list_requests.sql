-- Lists open requests of partitions.
-- PARAMETERS: id after which to begin, partition_id of each, limit
-- RETURNS: id, partition_id, kind, payload
-- INVARIANT: oldest first; the hint keeps MySQL from scanning all answered ones in id order
SELECT id, partition_id, kind, payload
FROM owner_request FORCE INDEX (owner_request_by_partition)
WHERE id > ? AND partition_id IN ({list}) AND status = 'OPEN'
ORDER BY id
LIMIT ?
