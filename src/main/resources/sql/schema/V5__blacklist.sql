-- The buyers who may not place orders for a while.
-- INVARIANT: each statement may run again after a kill.

-- All times are epoch milliseconds of this database. banned_until: 0 where the ban was lifted.
-- watched_until: until then one more overrun is a ban. version: rises with each change of the row.
-- forget_at: when the row may be deleted.
CREATE TABLE IF NOT EXISTS blacklist (
  user_id VARCHAR(64) NOT NULL PRIMARY KEY,
  banned_at BIGINT NOT NULL,
  banned_until BIGINT NOT NULL,
  watched_until BIGINT NOT NULL,
  reason VARCHAR(256) NOT NULL,
  banned_by VARCHAR(64) NOT NULL,
  version BIGINT NOT NULL,
  forget_at BIGINT NOT NULL,
  KEY blacklist_version (version, user_id),
  KEY blacklist_forget (forget_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
