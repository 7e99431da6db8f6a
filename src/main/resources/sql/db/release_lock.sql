-- Releases the migration lock of this database.
-- PARAMETERS: none
-- RETURNS: 1
-- INVARIANT: releases only a lock of this connection
SELECT RELEASE_LOCK(CONCAT('sluice.', LEFT(SHA2(DATABASE(), 256), 40)))
