-- Limits how long the statements of this session wait for a table that another session holds.
-- PARAMETERS: seconds
-- RETURNS: nothing
-- INVARIANT: all others that use a table wait behind one who waits to change it, and the server goes on waiting for a client that
--   has left
SET SESSION lock_wait_timeout = ?
