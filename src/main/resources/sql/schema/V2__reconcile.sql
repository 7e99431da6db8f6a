-- The last report of each partition: how Redis and the ledger compared.
-- INVARIANT: each statement may run again after a kill.

CREATE TABLE IF NOT EXISTS reconcile_report (
  partition_id INT NOT NULL PRIMARY KEY,
  report TEXT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
