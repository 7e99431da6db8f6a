-- Reads which migrations have run.
-- PARAMETERS: none
-- RETURNS: version
-- INVARIANT: read under the migration lock
SELECT version FROM schema_version
