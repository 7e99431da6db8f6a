-- What SKUs are called.
-- INVARIANT: each statement may run again after a kill.

-- A SKU without a row, or with NULL, has no name. Written while the SKU is locked. The release before knows no names, and leaves them.
CREATE TABLE IF NOT EXISTS sku_name (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  name VARCHAR(200) NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
