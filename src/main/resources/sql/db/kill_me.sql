-- Asks the server to close this connection.
-- PARAMETERS: none
-- RETURNS: an error, or nothing
-- INVARIANT: no other connection is affected
KILL CONNECTION_ID()
