-- Writes a fence as it is.
-- PARAMETERS: partition_id
-- RETURNS: rows found
-- INVARIANT: fails on a server that takes no writes, whose rows may be older than those of the one that does
UPDATE partition_fence SET term = term WHERE partition_id = ?
