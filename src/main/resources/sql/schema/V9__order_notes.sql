-- What is told of an order beside its status: further payments, more time to pay, refunds that are requested. Releases of
-- before do not read this table, and go on to read orders as they did.
-- INVARIANT: each statement may run again after a kill.

-- notes: how many rows of order_note the orders of a bucket have.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE inventory_bucket ADD COLUMN notes BIGINT NOT NULL DEFAULT 0', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory_bucket' AND column_name = 'notes');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- reference: of a payment that came for a rejected order.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE order_reject ADD COLUMN reference VARCHAR(128) NULL', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'order_reject' AND column_name = 'reference');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- level: what an instance understands. Releases of before do not write it.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE service_instance ADD COLUMN level INT NOT NULL DEFAULT 2', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'service_instance' AND column_name = 'level');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- instance_level: the levels that may run. Raising the level deletes the lower ones, and then the database itself refuses the
-- row without which an instance of before does nothing, also of one that has begun to start.
CREATE TABLE IF NOT EXISTS instance_level (
  level INT NOT NULL PRIMARY KEY
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

INSERT IGNORE INTO instance_level (level) VALUES (2), (3);

SET @change = (
  SELECT IF(COUNT(*) = 0,
    'ALTER TABLE service_instance ADD CONSTRAINT instance_of_level_that_may_run FOREIGN KEY (level) REFERENCES instance_level (level) ON DELETE CASCADE',
    'DO 0')
  FROM information_schema.table_constraints
  WHERE table_schema = DATABASE() AND table_name = 'service_instance'
    AND constraint_name = 'instance_of_level_that_may_run');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- PAID: the payment of an order that was confirmed without naming one. DOUBLE: a further payment. EXTENDED: pay_before is the
-- new deadline, which is 0 in all other rows. ASKED, DROPPED: a refund of qty units was requested, was rejected.
-- reference: of the payment, or the id of the refund. epoch, seq: of the order, so that an extension has the same place among
-- deadlines as a hold.
CREATE TABLE IF NOT EXISTS order_note (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  order_token BINARY(16) NOT NULL,
  note_no SMALLINT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  epoch BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  partition_id INT NOT NULL,
  reference VARCHAR(128) NULL,
  qty INT NOT NULL,
  pay_before BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, order_token, note_no),
  KEY order_note_by_due (partition_id, pay_before, sku_id, bucket, epoch, seq),
  CHECK (kind IN ('PAID', 'DOUBLE', 'EXTENDED', 'ASKED', 'DROPPED')),
  CHECK ((kind = 'EXTENDED') = (pay_before > 0)),
  CHECK (note_no >= 1)
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
    WHEN (SELECT COALESCE(SUM(m.qty), 0) FROM stock_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
        AND m.action = 'REFUND') = h.qty THEN 'REFUNDED'
    ELSE 'CONFIRMED' END AS status,
  ended.reason AS reason,
  CAST(1
    + (SELECT COUNT(*) FROM stock_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq)
    + (SELECT COUNT(*) FROM order_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token) AS SIGNED) AS version,
  GREATEST(h.pay_before, COALESCE((SELECT MAX(n.pay_before) FROM order_note n
    WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), 0)) AS pay_before,
  (SELECT MAX(m.created_at) FROM stock_move m
    WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
      AND m.action = 'LATE') AS late_paid_at,
  h.created_at AS created_at,
  GREATEST(
    COALESCE((SELECT MAX(m.created_at) FROM stock_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq), h.booked_at),
    COALESCE((SELECT MAX(n.created_at) FROM order_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), h.booked_at)) AS updated_at,
  h.sale_no AS sale_no,
  h.reference AS reference
FROM order_hold h
LEFT JOIN stock_move ended
  ON ended.sku_id = h.sku_id AND ended.bucket = h.bucket AND ended.epoch = h.epoch AND ended.seq = h.seq
    AND ended.step = 1
UNION ALL
SELECT
  CONVERT(CONCAT(r.sku_id, '.', r.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(r.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  r.user_id, r.sku_id, r.bucket, r.partition_id, r.qty, r.seq, r.epoch,
  'REJECTED',
  r.reason,
  CAST(1 + (late.step IS NOT NULL)
    + (SELECT COUNT(*) FROM order_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token) AS SIGNED),
  r.pay_before,
  late.noted_at,
  r.created_at,
  GREATEST(
    COALESCE(late.noted_at, r.noted_at),
    COALESCE((SELECT MAX(n.created_at) FROM order_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token), 0)),
  0,
  NULL
FROM order_reject r
LEFT JOIN order_reject late
  ON late.sku_id = r.sku_id AND late.bucket = r.bucket AND late.order_token = r.order_token AND late.step = 2
WHERE r.step = 1;
