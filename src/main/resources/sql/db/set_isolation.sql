-- Sets READ COMMITTED: each statement of the session sees what is committed when it begins. Also that it may write.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: rows that a transaction has read under a lock do not change before it writes
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE
