-- Sets the modes and time limits that every transaction relies on.
-- PARAMETERS: wait_timeout in seconds, innodb_lock_wait_timeout in seconds
-- RETURNS: nothing
-- INVARIANT: a value that does not fit is an error and never truncated; the clock is UTC
SET SESSION
  wait_timeout = ?,
  innodb_lock_wait_timeout = ?,
  time_zone = '+00:00',
  sql_mode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'
