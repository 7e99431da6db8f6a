-- Ends reads that run too long, on MySQL.
-- PARAMETERS: milliseconds
-- RETURNS: nothing
-- INVARIANT: the server stops working for a caller that has given up
SET SESSION max_execution_time = ?
