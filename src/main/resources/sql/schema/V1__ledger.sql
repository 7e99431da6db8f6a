-- The ledger: orders, the append-only rows, the counters derived from them, and what owners work on.
-- INVARIANT: each statement may run again after a kill; runs alike on MySQL 8.0.16+ and MariaDB 10.6+.
--   Times are epoch milliseconds, JSON is TEXT, and texts compare byte by byte.

CREATE TABLE IF NOT EXISTS inventory (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  total_stock BIGINT NOT NULL,
  settings TEXT NOT NULL,
  state VARCHAR(16) NOT NULL,
  first_stock BIGINT NOT NULL,
  buckets INT NOT NULL,
  mode VARCHAR(16) NOT NULL,
  thawed_state VARCHAR(16) NOT NULL,
  freeze_reason VARCHAR(512) NULL,
  CHECK (total_stock >= 0),
  CHECK (buckets >= 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS inventory_bucket (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  partition_id INT NOT NULL,
  allotted BIGINT NOT NULL,
  held BIGINT NOT NULL DEFAULT 0,
  sold BIGINT NOT NULL DEFAULT 0,
  epoch BIGINT NOT NULL DEFAULT 1,
  version BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (sku_id, bucket),
  KEY inventory_bucket_by_partition (partition_id, sku_id, bucket),
  CHECK (held >= 0),
  CHECK (sold >= 0),
  CHECK (held + sold <= allotted)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The tokens of a bucket begin alike, so a rebuild pages through the primary key.
CREATE TABLE IF NOT EXISTS orders (
  order_token VARCHAR(64) NOT NULL PRIMARY KEY,
  user_id VARCHAR(64) NOT NULL,
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  partition_id INT NOT NULL,
  qty INT NOT NULL,
  seq BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  status VARCHAR(16) NOT NULL,
  reason VARCHAR(16) NULL,
  version BIGINT NOT NULL,
  pay_before BIGINT NOT NULL,
  late_paid_at BIGINT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  KEY orders_by_due (partition_id, status, pay_before),
  CHECK (status IN ('PENDING', 'REJECTED', 'CONFIRMED', 'CANCELED', 'REFUNDED'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- order_token: an order's, or <restock_id>#<bucket> with what follows it.
CREATE TABLE IF NOT EXISTS stock_txn (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_token VARCHAR(96) NOT NULL,
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  qty BIGINT NOT NULL,
  action VARCHAR(16) NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE KEY stock_txn_once (order_token, sku_id, action),
  KEY stock_txn_by_sku (sku_id, action, qty),
  CHECK (action IN ('RESTOCK', 'HOLD', 'CONFIRM', 'CANCEL', 'REFUND'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  partition_id INT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  event_type VARCHAR(32) NOT NULL,
  payload TEXT NOT NULL,
  status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
  created_at BIGINT NOT NULL,
  KEY outbox_by_pass (partition_id, kind, status, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS partition_fence (
  partition_id INT NOT NULL PRIMARY KEY,
  term BIGINT NOT NULL,
  next_offset BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- open_key: kind and bucket while the request is open, so that there is one of each.
CREATE TABLE IF NOT EXISTS owner_request (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  partition_id INT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  payload TEXT NOT NULL,
  status VARCHAR(16) NOT NULL DEFAULT 'OPEN',
  answer TEXT NULL,
  open_key VARCHAR(64) NULL,
  created_at BIGINT NOT NULL,
  UNIQUE KEY owner_request_open (open_key),
  KEY owner_request_by_partition (partition_id, status, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS correction (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  what VARCHAR(255) NOT NULL,
  `before` TEXT NOT NULL,
  `after` TEXT NOT NULL,
  why TEXT NOT NULL,
  created_at BIGINT NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- unsold: what a refused take-back could have had.
CREATE TABLE IF NOT EXISTS restock (
  sku_id BIGINT NOT NULL,
  restock_id VARCHAR(64) NOT NULL,
  qty BIGINT NOT NULL,
  status VARCHAR(16) NOT NULL,
  rounds INT NOT NULL DEFAULT 0,
  unsold BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (sku_id, restock_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS restock_part (
  sku_id BIGINT NOT NULL,
  restock_id VARCHAR(64) NOT NULL,
  bucket INT NOT NULL,
  round INT NOT NULL,
  units BIGINT NOT NULL,
  status VARCHAR(16) NOT NULL DEFAULT 'PENDING',
  PRIMARY KEY (sku_id, restock_id, round, bucket)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE TABLE IF NOT EXISTS foundation (
  name VARCHAR(64) NOT NULL PRIMARY KEY,
  value VARCHAR(255) NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE OR REPLACE VIEW inventory_view AS
SELECT
  sums.sku_id AS sku_id,
  sums.restocked AS total,
  sums.holds - sums.confirms - sums.cancels AS held,
  sums.confirms - sums.refunds AS sold,
  sums.restocked - (sums.holds - sums.confirms - sums.cancels) - (sums.confirms - sums.refunds)
    AS available
FROM (
  SELECT
    sku_id,
    CAST(SUM(CASE WHEN action = 'RESTOCK' THEN qty ELSE 0 END) AS SIGNED) AS restocked,
    CAST(SUM(CASE WHEN action = 'HOLD' THEN qty ELSE 0 END) AS SIGNED) AS holds,
    CAST(SUM(CASE WHEN action = 'CONFIRM' THEN qty ELSE 0 END) AS SIGNED) AS confirms,
    CAST(SUM(CASE WHEN action = 'CANCEL' THEN qty ELSE 0 END) AS SIGNED) AS cancels,
    CAST(SUM(CASE WHEN action = 'REFUND' THEN qty ELSE 0 END) AS SIGNED) AS refunds
  FROM stock_txn
  GROUP BY sku_id) sums;
