-- The archive: the orders of ended sales, out of the way of those that are sold now. Each transaction that moves rows adds what
-- they summed up to, to one row for each bucket and action, so the sums over a SKU are the same before and after it.
-- INVARIANT: each statement may run again after a kill.

-- archived: how many rows of this bucket's orders are in the archive.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE inventory_bucket ADD COLUMN archived BIGINT NOT NULL DEFAULT 0', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'inventory_bucket' AND column_name = 'archived');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- sale_no: as of a hold.
SET @change = (
  SELECT IF(COUNT(*) = 0, 'ALTER TABLE order_reject ADD COLUMN sale_no BIGINT NOT NULL DEFAULT 0', 'DO 0')
  FROM information_schema.columns
  WHERE table_schema = DATABASE() AND table_name = 'order_reject' AND column_name = 'sale_no');
PREPARE change_schema FROM @change;
EXECUTE change_schema;
DEALLOCATE PREPARE change_schema;

-- The columns of order_hold. By buyer, so that a buyer can be forgotten; order_hold has no such key, because each booking would
-- pay for it.
CREATE TABLE IF NOT EXISTS archive_hold (
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
  sale_no BIGINT NOT NULL,
  write_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, epoch, seq),
  UNIQUE KEY archive_hold_by_token (sku_id, bucket, order_token),
  KEY archive_hold_by_user (user_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The columns of stock_move. A payment that comes after that for a canceled order is a row here, too.
CREATE TABLE IF NOT EXISTS archive_move (
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
  PRIMARY KEY (sku_id, bucket, epoch, seq, step)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The columns of order_note, which are in no order of deadlines any more.
CREATE TABLE IF NOT EXISTS archive_note (
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
  PRIMARY KEY (sku_id, bucket, order_token, note_no)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- The columns of order_reject.
CREATE TABLE IF NOT EXISTS archive_reject (
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
  reference VARCHAR(128) NULL,
  sale_no BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, order_token, step),
  KEY archive_reject_by_user (user_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What the archived rows of a bucket add up to, by action; they take the place of these rows in every sum.
CREATE TABLE IF NOT EXISTS archive_sum (
  sku_id BIGINT NOT NULL,
  bucket INT NOT NULL,
  action VARCHAR(16) NOT NULL,
  units BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  PRIMARY KEY (sku_id, bucket, action),
  CHECK (action IN ('HOLD', 'CONFIRM', 'CANCEL', 'REFUND'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A SKU whose orders are moved to the archive: those of sales up to sale_no. The place of the hold that was looked at last:
-- bucket, epoch, seq. left_behind: how many were passed because they had not ended. due_at: when to go on; null once all are moved.
CREATE TABLE IF NOT EXISTS archive_job (
  sku_id BIGINT NOT NULL PRIMARY KEY,
  sale_no BIGINT NOT NULL,
  bucket INT NOT NULL DEFAULT 0,
  epoch BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  left_behind BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NULL,
  KEY archive_job_by_time (due_at, sku_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- A buyer whose id is replaced by a pseudonym. phase: which table is looked through; sku_id, bucket, epoch, seq, order_token: up to
-- where. replaced, left_over: orders so far that got the pseudonym, that are of running sales. done_at: 0 before the end.
CREATE TABLE IF NOT EXISTS forget_job (
  user_id VARCHAR(64) NOT NULL PRIMARY KEY,
  pseudonym VARCHAR(64) NOT NULL,
  phase SMALLINT NOT NULL DEFAULT 0,
  sku_id BIGINT NOT NULL DEFAULT 0,
  bucket INT NOT NULL DEFAULT 0,
  epoch BIGINT NOT NULL DEFAULT 0,
  seq BIGINT NOT NULL DEFAULT 0,
  order_token VARBINARY(16) NOT NULL DEFAULT '',
  replaced BIGINT NOT NULL DEFAULT 0,
  left_over BIGINT NOT NULL DEFAULT 0,
  done_at BIGINT NOT NULL DEFAULT 0,
  KEY forget_job_by_end (done_at, user_id)
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
    WHEN (SELECT COALESCE(SUM(m.qty), 0) FROM archive_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
        AND m.action = 'REFUND') = h.qty THEN 'REFUNDED'
    ELSE 'CONFIRMED' END AS status,
  ended.reason AS reason,
  CAST(1
    + (SELECT COUNT(*) FROM archive_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq)
    + (SELECT COUNT(*) FROM archive_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token) AS SIGNED) AS version,
  GREATEST(h.pay_before, COALESCE((SELECT MAX(n.pay_before) FROM archive_note n
    WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), 0)) AS pay_before,
  (SELECT MAX(m.created_at) FROM archive_move m
    WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
      AND m.action = 'LATE') AS late_paid_at,
  h.created_at AS created_at,
  GREATEST(
    COALESCE((SELECT MAX(m.created_at) FROM archive_move m
      WHERE m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq), h.booked_at),
    COALESCE((SELECT MAX(n.created_at) FROM archive_note n
      WHERE n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token), h.booked_at)) AS updated_at,
  h.sale_no AS sale_no,
  h.reference AS reference
FROM archive_hold h
LEFT JOIN archive_move ended
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
  r.sale_no,
  NULL
FROM order_reject r
LEFT JOIN order_reject late
  ON late.sku_id = r.sku_id AND late.bucket = r.bucket AND late.order_token = r.order_token AND late.step = 2
WHERE r.step = 1
UNION ALL
SELECT
  CONVERT(CONCAT(r.sku_id, '.', r.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(r.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  r.user_id, r.sku_id, r.bucket, r.partition_id, r.qty, r.seq, r.epoch,
  'REJECTED',
  r.reason,
  CAST(1 + (late.step IS NOT NULL)
    + (SELECT COUNT(*) FROM archive_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token) AS SIGNED),
  r.pay_before,
  late.noted_at,
  r.created_at,
  GREATEST(
    COALESCE(late.noted_at, r.noted_at),
    COALESCE((SELECT MAX(n.created_at) FROM archive_note n
      WHERE n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token), 0)),
  r.sale_no,
  NULL
FROM archive_reject r
LEFT JOIN archive_reject late
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
WHERE m.action <> 'LATE'
UNION ALL
SELECT
  h.write_no * 16,
  CONVERT(CONCAT(h.sku_id, '.', h.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(h.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  h.sku_id, h.bucket, h.qty, 'HOLD', h.booked_at
FROM archive_hold h
UNION ALL
SELECT
  m.write_no * 16 + LEAST(m.step, 15),
  CONVERT(CONCAT(m.sku_id, '.', m.bucket, '.',
    REPLACE(REPLACE(TRIM(TRAILING '=' FROM TO_BASE64(o.order_token)), '+', '-'), '/', '_')) USING utf8mb4)
    COLLATE utf8mb4_bin,
  m.sku_id, m.bucket, m.qty, m.action, m.created_at
FROM archive_move m
LEFT JOIN archive_hold o
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
    GROUP BY sku_id
    UNION ALL
    SELECT sku_id, 0,
      SUM(CASE WHEN action = 'HOLD' THEN units ELSE 0 END),
      SUM(CASE WHEN action = 'CONFIRM' THEN units ELSE 0 END),
      SUM(CASE WHEN action = 'CANCEL' THEN units ELSE 0 END),
      SUM(CASE WHEN action = 'REFUND' THEN units ELSE 0 END)
    FROM archive_sum
    GROUP BY sku_id) parts
  GROUP BY parts.sku_id) sums;
