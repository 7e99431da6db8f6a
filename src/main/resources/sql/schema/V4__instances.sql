-- The instances on this ledger, with those of their settings that the others must heed.
-- INVARIANT: each statement may run again after a kill.

-- seen_at: when the instance last wrote its row.
CREATE TABLE IF NOT EXISTS service_instance (
  instance_id VARCHAR(64) NOT NULL PRIMARY KEY,
  grant_deadline_ms BIGINT NOT NULL,
  sweep_after_ms BIGINT NOT NULL,
  seen_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
