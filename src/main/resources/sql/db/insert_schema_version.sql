-- Records that all statements of a migration have run.
-- PARAMETERS: version, file
-- RETURNS: nothing
-- INVARIANT: written after its last statement, so after a kill the file is repeated
INSERT INTO schema_version (version, file, applied_at)
VALUES (?, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED))
