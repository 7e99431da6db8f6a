-- name: create_schema_version
-- Creates the table of migrations that have run.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: idempotent
CREATE TABLE IF NOT EXISTS schema_version (
  version INT NOT NULL PRIMARY KEY,
  file VARCHAR(128) NOT NULL,
  applied_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin

-- name: get_lock
-- Waits for the migration lock of this database.
-- PARAMETERS: seconds to wait
-- RETURNS: 1, or 0 after the wait
-- INVARIANT: one connection at a time per database; the lock ends with its connection
SELECT GET_LOCK(CONCAT('sluice.', LEFT(SHA2(DATABASE(), 256), 40)), ?)

-- name: insert_schema_versions
-- Records that all statements of a migration have run, and so those of all versions whose place it takes.
-- PARAMETERS: the first version, the last, file
-- RETURNS: nothing
-- INVARIANT: written after its last statement, so after a kill the file is repeated
INSERT INTO schema_version (version, file, applied_at)
WITH RECURSIVE versions (version) AS (
  SELECT CAST(? AS SIGNED)
  UNION ALL
  SELECT version + 1 FROM versions WHERE version < ?)
SELECT version, ?, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) FROM versions

-- name: kill
-- Ends the connection that has this name, and its transaction.
-- PARAMETERS: the name, in the text: MySQL has none here
-- RETURNS: nothing, or an error if no connection of this server has it
-- INVARIANT: its client has left it before it sent a COMMIT: MariaDB would commit without the replicas that it waits for
KILL IS_USED_LOCK(?)

-- name: limit_reads_mysql
-- Limits the run time of reads, on MySQL.
-- PARAMETERS: milliseconds
-- RETURNS: nothing
-- INVARIANT: the server does not work on for a caller that has timed out
SET SESSION max_execution_time = ?

-- name: limit_statements_mariadb
-- Limits the run time of statements, on MariaDB.
-- PARAMETERS: seconds, with a fraction
-- RETURNS: nothing
-- INVARIANT: the server does not work on for a caller that has timed out
SET SESSION max_statement_time = ?

-- name: limit_table_locks
-- Limits how long the statements of this session wait for a table that another session holds.
-- PARAMETERS: seconds
-- RETURNS: nothing
-- INVARIANT: all others that use a table wait behind one who waits to change it, and the server goes on waiting for a client that
--   has left
SET SESSION lock_wait_timeout = ?

-- name: list_schema_versions
-- Reads which migrations have run.
-- PARAMETERS: none
-- RETURNS: version
-- INVARIANT: read under the migration lock
SELECT version FROM schema_version

-- name: name_session
-- Gives this connection a name: a lock that nobody waits for.
-- PARAMETERS: the name
-- RETURNS: 1
-- INVARIANT: no other connection has the name, on any server, whatever number this one has; it ends with the connection
SELECT GET_LOCK(?, 0)

-- name: release_lock
-- Releases the migration lock of this database.
-- PARAMETERS: none
-- RETURNS: 1
-- INVARIANT: releases only a lock of this connection
SELECT RELEASE_LOCK(CONCAT('sluice.', LEFT(SHA2(DATABASE(), 256), 40)))

-- name: set_isolation
-- Sets READ COMMITTED: each statement of the session sees what is committed when it begins. Also that it may write.
-- PARAMETERS: none
-- RETURNS: nothing
-- INVARIANT: rows that a transaction has read under a lock do not change before it writes
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE

-- name: set_session
-- Sets the modes and time limits that every transaction relies on, whatever the server's own are.
-- PARAMETERS: wait_timeout in seconds, innodb_lock_wait_timeout in seconds
-- RETURNS: nothing
-- INVARIANT: a value that does not fit is an error and never truncated; the clock is UTC; a statement outside of a transaction
--   is one of its own, and no statement is cut short
SET SESSION
  wait_timeout = ?,
  innodb_lock_wait_timeout = ?,
  autocommit = 1,
  completion_type = 'NO_CHAIN',
  sql_safe_updates = 0,
  sql_select_limit = 18446744073709551615,
  group_concat_max_len = 1048576,
  foreign_key_checks = 1,
  unique_checks = 1,
  sql_auto_is_null = 0,
  character_set_client = 'utf8mb4',
  character_set_connection = 'utf8mb4',
  character_set_results = 'utf8mb4',
  collation_connection = 'utf8mb4_general_ci',
  time_zone = '+00:00',
  sql_mode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'
