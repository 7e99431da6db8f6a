-- Writes a fence without changing it.
-- PARAMETERS: partition_id
-- RETURNS: rows found
-- INVARIANT: fails on a server that refuses writes, whose rows may be older than the primary's
UPDATE partition_fence SET term = term WHERE partition_id = ?
