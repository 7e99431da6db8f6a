-- SKUs that sell in the ledger alone: no row is about Redis or the order log. Releases of before could not sell them: none is
-- created before all instances are of level 5.
-- INVARIANT: each statement may run again after a kill.

-- The holds of these SKUs by their buyers, for the limit per buyer: the holds of the others need no such index. Deleted when
-- their bucket ends.
CREATE TABLE IF NOT EXISTS direct_hold (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  user_id VARCHAR(64) NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, user_id, epoch, seq)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The events of these SKUs where there is no order log, in an order in which each is committed before the next has its number.
CREATE TABLE IF NOT EXISTS direct_event (
  event_no BIGINT NOT NULL PRIMARY KEY,
  payload MEDIUMTEXT NOT NULL,
  numbered_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What instances do in turn for these SKUs; the row of a duty is locked meanwhile. value: of EVENTS, the last number.
CREATE TABLE IF NOT EXISTS direct_duty (
  duty VARCHAR(16) NOT NULL PRIMARY KEY,
  value BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO direct_duty (duty, value) VALUES ('EVENTS', 0), ('MARKS', 0), ('READING', 0);

INSERT IGNORE INTO instance_level (level) VALUES (5);
