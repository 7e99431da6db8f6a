-- Creates the table of migrations that have run.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: idempotent
CREATE TABLE IF NOT EXISTS schema_version (
  version INT NOT NULL PRIMARY KEY,
  file VARCHAR(128) NOT NULL,
  applied_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin
