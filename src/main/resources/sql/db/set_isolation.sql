-- Makes each statement of the session see what is committed when it begins.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: what a transaction read under a lock is what it writes on
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED
