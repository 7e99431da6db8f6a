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
