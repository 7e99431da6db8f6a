-- Reads and locks a partition's fence.
-- PARAMETERS: partition_id
-- RETURNS: partition_id, term, next_offset
-- INVARIANT: no other owner writes for this partition until the transaction ends
SELECT partition_id, term, next_offset
FROM partition_fence
WHERE partition_id = ?
FOR UPDATE
