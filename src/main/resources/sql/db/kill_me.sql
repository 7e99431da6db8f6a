-- Asks the server to end this very connection.
-- PARAMETERS: none
-- RETURNS: an error, or nothing
-- INVARIANT: no other connection is touched
KILL CONNECTION_ID()
