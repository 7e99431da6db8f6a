-- Lists the fences of all partitions that ever had an owner.
-- PARAMETERS: none
-- RETURNS: partition_id, term, next_offset
-- INVARIANT: -
SELECT partition_id, term, next_offset FROM partition_fence
