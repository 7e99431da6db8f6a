-- Sets what every transaction relies on.
-- PARAMETERS: wait_timeout in seconds, innodb_lock_wait_timeout in seconds
-- RETURNS: nothing
-- INVARIANT: a value that does not fit is an error, never cut; the clock has no summer time
SET SESSION
  wait_timeout = ?,
  innodb_lock_wait_timeout = ?,
  time_zone = '+00:00',
  sql_mode = 'STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'
