-- Format 2 of the ledger: an order is its hold, what happens to it later is one more row, and no row is changed again.
-- The rows of the old tables are moved by RowMigration, which runs behind this file; orders, stock_txn and
--   inventory_view are views after that (V7).
-- INVARIANT: each statement may run again after a kill. An alteration is a text that does nothing where it was made
--   already, because neither server has a form for that which both understand.

-- Releases of before compare this value with their own, and end with code 2. First of all: none may start beside what follows.
UPDATE foundation SET value = CONCAT(value, ' in format 2')
WHERE name = 'kafka_partitions' AND value NOT LIKE '% in format %';

-- Without a default, so that an owner of before, which was cut off while this ran, takes over nothing any more.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE partition_fence ADD COLUMN format INT NOT NULL', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'partition_fence' AND column_name = 'format');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

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
