-- Advances a partition's next_offset over a batch of the log, if this owner still has the fence.
-- PARAMETERS: next_offset after, partition_id, term, next_offset before
-- RETURNS: 1 row found, or 0
-- INVARIANT: the first statement of a batch's transaction; 0 rows mean that nothing may be written
UPDATE partition_fence
SET next_offset = ?
WHERE partition_id = ? AND term = ? AND next_offset = ?
