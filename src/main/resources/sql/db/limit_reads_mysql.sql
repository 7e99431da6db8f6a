-- Limits the run time of reads, on MySQL.
-- PARAMETERS: milliseconds
-- RETURNS: nothing
-- INVARIANT: the server does not work on for a caller that has timed out
SET SESSION max_execution_time = ?
