-- Waits for the migration lock of this database.
-- PARAMETERS: seconds to wait
-- RETURNS: 1, or 0 after the wait
-- INVARIANT: one connection at a time per database; the lock ends with its connection
SELECT GET_LOCK(CONCAT('sluice.', LEFT(SHA2(DATABASE(), 256), 40)), ?)
