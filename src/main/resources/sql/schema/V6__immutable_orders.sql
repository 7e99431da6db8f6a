-- Format 2 of the ledger: an order is its hold, what happens to it later is one more row, and no row is changed again.
-- orders, stock_txn and inventory_view are views. The rows of the old tables are moved by RowMigration.
-- INVARIANT: each statement may run again after a kill. An alteration is a text that does nothing where it was made
--   already, because neither server has a form for that which both understand.

SET @change = (
  SELECT IF(COUNT(*) = 1, 'RENAME TABLE orders TO orders_v1', 'DO 0') FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_name = 'orders' AND table_type = 'BASE TABLE');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

SET @change = (
  SELECT IF(COUNT(*) = 1, 'RENAME TABLE stock_txn TO stock_txn_v1', 'DO 0') FROM information_schema.tables
  WHERE table_schema = DATABASE() AND table_name = 'stock_txn' AND table_type = 'BASE TABLE');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- base: held + sold of earlier sales. writes: how many transactions have appended rows of this bucket.
-- rejects: how many of its orders were rejected.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE inventory_bucket ADD COLUMN base BIGINT NOT NULL DEFAULT 0, ADD COLUMN writes BIGINT NOT NULL DEFAULT 0, ADD COLUMN rejects BIGINT NOT NULL DEFAULT 0', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory_bucket' AND column_name = 'rejects');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE inventory ADD COLUMN sale_no BIGINT NOT NULL DEFAULT 0, ADD COLUMN sale_id VARCHAR(64) NULL', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory' AND column_name = 'sale_id');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- A row has a list now. Rows of before, with one entry each, are sent as well.
ALTER TABLE outbox MODIFY payload MEDIUMTEXT NOT NULL;

-- Releases of before compare this value with their own, and end with code 2.
UPDATE foundation SET value = CONCAT(value, ' in format 2')
WHERE name = 'kafka_partitions' AND value NOT LIKE '% in format %';

-- order_token: the hash in the public token, whose other parts are the columns sku_id and bucket.
-- write_no: the bucket's number of writes, this one included.
CREATE TABLE IF NOT EXISTS order_hold (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  order_token BINARY(16) NOT NULL,
  user_id VARCHAR(64) NOT NULL,
  partition_id INT NOT NULL,
  qty INT NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  booked_at BIGINT NOT NULL,
  reference VARCHAR(64) NULL,
  sale_no BIGINT NOT NULL DEFAULT 0,
  write_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, epoch, seq),
  UNIQUE KEY order_hold_by_token (sku_id, bucket, order_token),
  KEY order_hold_by_due (partition_id, pay_before)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Step 1 ends the hold, so the primary key lets it end once. reference: of a payment or a refund.
-- LATE: a payment came after the end; no unit moves.
CREATE TABLE IF NOT EXISTS stock_move (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  step SMALLINT NOT NULL,
  action VARCHAR(16) NOT NULL,
  reason VARCHAR(16) NULL,
  qty INT NOT NULL,
  created_at BIGINT NOT NULL,
  reference VARCHAR(128) NULL,
  write_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, epoch, seq, step),
  CHECK (action IN ('CONFIRM', 'CANCEL', 'REFUND', 'LATE')),
  CHECK ((step = 1) = (action IN ('CONFIRM', 'CANCEL'))),
  CHECK (step >= 1)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Orders that never held a unit; their seq and epoch may be anybody's. Step 1 is the rejection, step 2 a payment that
-- came for it. noted_at: when the step was made.
CREATE TABLE IF NOT EXISTS order_reject (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  order_token BINARY(16) NOT NULL,
  step SMALLINT NOT NULL,
  user_id VARCHAR(64) NOT NULL,
  partition_id INT NOT NULL,
  qty INT NOT NULL,
  seq BIGINT NOT NULL,
  epoch BIGINT NOT NULL,
  reason VARCHAR(16) NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  noted_at BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, order_token, step),
  CHECK (step IN (1, 2))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- Changes of a bucket's allotment. row_token: <restock_id>#<bucket> with what follows it.
CREATE TABLE IF NOT EXISTS restock_row (
  sku_id BIGINT NOT NULL,
  row_token VARCHAR(96) NOT NULL,
  bucket INT NOT NULL,
  qty BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  write_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, row_token)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

CREATE OR REPLACE VIEW orders AS
SELECT
  CONVERT(CONCAT(h.sku_id, '.', h.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(h.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin AS order_token,
  h.user_id AS user_id,
  h.sku_id AS sku_id,
  h.bucket AS bucket,
  h.partition_id AS partition_id,
  h.qty AS qty,
  h.seq AS seq,
  h.epoch AS epoch,
  CASE
    WHEN ended.action IS NULL THEN 'PENDING'
    WHEN ended.action = 'CANCEL' THEN 'CANCELED'
    WHEN later.action = 'REFUND' THEN 'REFUNDED'
    ELSE 'CONFIRMED' END AS status,
  ended.reason AS reason,
  CAST(1 + (ended.step IS NOT NULL) + (later.step IS NOT NULL) AS SIGNED) AS version,
  h.pay_before AS pay_before,
  CASE WHEN later.action = 'LATE' THEN later.created_at END AS late_paid_at,
  h.created_at AS created_at,
  COALESCE(later.created_at, ended.created_at, h.booked_at) AS updated_at
FROM order_hold h
LEFT JOIN stock_move ended
  ON ended.sku_id = h.sku_id AND ended.bucket = h.bucket AND ended.epoch = h.epoch AND ended.seq = h.seq
    AND ended.step = 1
LEFT JOIN stock_move later
  ON later.sku_id = h.sku_id AND later.bucket = h.bucket AND later.epoch = h.epoch AND later.seq = h.seq
    AND later.step = 2
UNION ALL
SELECT
  CONVERT(CONCAT(r.sku_id, '.', r.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(r.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  r.user_id, r.sku_id, r.bucket, r.partition_id, r.qty, r.seq, r.epoch,
  'REJECTED',
  r.reason,
  CAST(1 + (late.step IS NOT NULL) AS SIGNED),
  r.pay_before,
  late.noted_at,
  r.created_at,
  COALESCE(late.noted_at, r.noted_at)
FROM order_reject r
LEFT JOIN order_reject late
  ON late.sku_id = r.sku_id AND late.bucket = r.bucket AND late.order_token = r.order_token AND late.step = 2
WHERE r.step = 1;

-- id: within a bucket it rises with each transaction, and within an order with each step; it is not unique.
CREATE OR REPLACE VIEW stock_txn AS
SELECT
  r.write_no * 16 AS id,
  r.row_token AS order_token,
  r.sku_id AS sku_id,
  r.bucket AS bucket,
  r.qty AS qty,
  'RESTOCK' AS action,
  r.created_at AS created_at
FROM restock_row r
UNION ALL
SELECT
  h.write_no * 16,
  CONVERT(CONCAT(h.sku_id, '.', h.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(h.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  h.sku_id, h.bucket, h.qty, 'HOLD', h.booked_at
FROM order_hold h
UNION ALL
SELECT
  m.write_no * 16 + LEAST(m.step, 15),
  CONVERT(CONCAT(m.sku_id, '.', m.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(o.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  m.sku_id, m.bucket, m.qty, m.action, m.created_at
FROM stock_move m
LEFT JOIN order_hold o
  ON o.sku_id = m.sku_id AND o.bucket = m.bucket AND o.epoch = m.epoch AND o.seq = m.seq
WHERE m.action <> 'LATE';

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
    parts.sku_id AS sku_id,
    CAST(SUM(parts.restocked) AS SIGNED) AS restocked,
    CAST(SUM(parts.holds) AS SIGNED) AS holds,
    CAST(SUM(parts.confirms) AS SIGNED) AS confirms,
    CAST(SUM(parts.cancels) AS SIGNED) AS cancels,
    CAST(SUM(parts.refunds) AS SIGNED) AS refunds
  FROM (
    SELECT sku_id, SUM(qty) AS restocked, 0 AS holds, 0 AS confirms, 0 AS cancels, 0 AS refunds
    FROM restock_row
    GROUP BY sku_id
    UNION ALL
    SELECT sku_id, 0, SUM(qty), 0, 0, 0
    FROM order_hold
    GROUP BY sku_id
    UNION ALL
    SELECT sku_id, 0, 0,
      SUM(CASE WHEN action = 'CONFIRM' THEN qty ELSE 0 END),
      SUM(CASE WHEN action = 'CANCEL' THEN qty ELSE 0 END),
      SUM(CASE WHEN action = 'REFUND' THEN qty ELSE 0 END)
    FROM stock_move
    GROUP BY sku_id) parts
  GROUP BY parts.sku_id) sums;
