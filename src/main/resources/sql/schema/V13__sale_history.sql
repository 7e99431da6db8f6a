-- What only instances know of a sale, for its report: what they refused, how fast they granted, and the alarms that they raised.
-- Releases of before neither write nor read it.
-- INVARIANT: each statement may run again after a kill.

-- What one instance counted in one interval, in JSON: {"refused": {"sold-out": 3}, "granted": {"5": 7}}, where 5 is the time in
-- milliseconds within which 7 grants were durable. Written only where something was counted.
CREATE TABLE IF NOT EXISTS sale_count (
  sale_id VARCHAR(64) NOT NULL,
  began_at BIGINT NOT NULL,
  instance_id VARCHAR(64) NOT NULL,
  length_ms BIGINT NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (sale_id, began_at, instance_id),
  KEY sale_count_by_age (began_at)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- An alarm that one instance raised, some times within a minute.
CREATE TABLE IF NOT EXISTS incident (
  first_at BIGINT NOT NULL,
  instance_id VARCHAR(64) NOT NULL,
  alarm VARCHAR(64) NOT NULL,
  last_at BIGINT NOT NULL,
  times BIGINT NOT NULL,
  text VARCHAR(512) NOT NULL,
  PRIMARY KEY (first_at, instance_id, alarm)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
