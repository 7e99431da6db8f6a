-- When the owner of a partition could last read the order log and the ledger, and for how long orders may be paid
-- beyond their time since it could not.
-- INVARIANT: each statement may run again after a kill.

CREATE TABLE IF NOT EXISTS partition_reading (
  partition_id INT NOT NULL PRIMARY KEY,
  read_at BIGINT NOT NULL,
  shift_ms BIGINT NOT NULL,
  shift_until BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
