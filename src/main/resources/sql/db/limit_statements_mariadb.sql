-- Ends statements that run too long, on MariaDB.
-- PARAMETERS: seconds, with a fraction
-- RETURNS: nothing
-- INVARIANT: the server stops working for a caller that has given up
SET SESSION max_statement_time = ?
