-- Sales: SKUs that open and close together. Releases of before read their SKUs as any others.
-- INVARIANT: each statement may run again after a kill.

-- state: SCHEDULED, OPEN or CLOSED. version: rises with each change of terms or state, so that SKUs which have not taken it
-- over are found. state_version: the version of the last change of state. behind: whether there may be such SKUs.
CREATE TABLE IF NOT EXISTS sale (
  sale_id VARCHAR(64) NOT NULL PRIMARY KEY,
  name VARCHAR(128) NOT NULL,
  opens_at BIGINT NOT NULL,
  closes_at BIGINT NOT NULL,
  payment_window BIGINT NOT NULL,
  carts TINYINT NOT NULL,
  ticket TINYINT NOT NULL,
  state VARCHAR(16) NOT NULL,
  frozen TINYINT NOT NULL DEFAULT 0,
  version BIGINT NOT NULL,
  state_version BIGINT NOT NULL,
  behind TINYINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  KEY sale_behind (behind, sale_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- frozen_by_sale: whether the SKU is FROZEN only because its sale is. sale_version: the version of the sale that it has taken
-- over.
SET @change = (
  SELECT IF(COUNT(*) = 0,
    'ALTER TABLE inventory ADD COLUMN frozen_by_sale TINYINT NOT NULL DEFAULT 0, ADD COLUMN sale_version BIGINT NOT NULL DEFAULT 0, ADD KEY inventory_by_sale (sale_id, sku_id), ADD KEY inventory_behind (sale_id, sale_version)',
    'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory' AND column_name = 'sale_version');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;
