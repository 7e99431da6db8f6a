-- The database's clock.
-- PARAMETERS: none
-- RETURNS: epoch milliseconds
-- INVARIANT: taken by a statement of its own, after the locks: NOW is when a statement began to wait
SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
