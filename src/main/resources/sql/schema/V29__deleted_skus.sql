-- What is remembered of SKUs that were deleted.
-- INVARIANT: each statement may run again after a kill.

-- sale_no, epoch, version: the highest that the SKU and its buckets had. One that is made again under the id begins behind them, so
-- nothing of the deleted one is taken for its own. buckets, mode: it has the same, since what is on its way knows it by them. The release before does not know this table, and begins again at the first ones.
CREATE TABLE IF NOT EXISTS deleted_sku (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  sale_no BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  version BIGINT NOT NULL,
  buckets INT NOT NULL,
  mode VARCHAR(16) NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
