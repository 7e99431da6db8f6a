-- Passes a stretch of the log, if it is this owner's to pass.
-- PARAMETERS: next_offset after, partition_id, term, next_offset before
-- RETURNS: 1 row found, or 0
-- INVARIANT: the first statement of a batch's transaction: 0 rows means that nothing may be written
UPDATE partition_fence
SET next_offset = ?
WHERE partition_id = ? AND term = ? AND next_offset = ?
