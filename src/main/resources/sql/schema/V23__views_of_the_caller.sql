-- The views are read with the rights of who reads them. Until now they were read with those of who had made them, and could not be
-- read any more (error 1449) once that user was gone: the documented change of a password makes a new user.
-- INVARIANT: the same columns and rows as before; a user without rights on other users may replace them, whoever has made them

CREATE OR REPLACE SQL SECURITY INVOKER VIEW orders AS
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

CREATE OR REPLACE SQL SECURITY INVOKER VIEW stock_txn AS
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

CREATE OR REPLACE SQL SECURITY INVOKER VIEW inventory_view AS
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
