-- Reads and holds a partition's fence.
-- PARAMETERS: partition_id
-- RETURNS: partition_id, term, next_offset
-- INVARIANT: nobody else writes for this partition until the transaction ends
SELECT partition_id, term, next_offset
FROM partition_fence
WHERE partition_id = ?
FOR UPDATE
