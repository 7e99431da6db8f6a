-- Limits the run time of statements, on MariaDB.
-- PARAMETERS: seconds, with a fraction
-- RETURNS: nothing
-- INVARIANT: the server does not work on for a caller that has timed out
SET SESSION max_statement_time = ?
