-- Reads the database's clock.
-- PARAMETERS: none
-- RETURNS: epoch milliseconds
-- INVARIANT: a statement of its own, after the locks: NOW is the time at which a statement began, before its lock wait
SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
