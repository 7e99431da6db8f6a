-- name: count_txns
-- Counts the append-only rows of a SKU, of each kind up to a maximum.
-- PARAMETERS: sku_id and maximum, three times
-- RETURNS: rows
-- INVARIANT: reads at most that many entries of each table
SELECT COUNT(*)
FROM (
  (SELECT 1 FROM restock_row WHERE sku_id = ? LIMIT ?)
  UNION ALL
  (SELECT 1 FROM order_hold FORCE INDEX (PRIMARY) WHERE sku_id = ? LIMIT ?)
  UNION ALL
  (SELECT 1 FROM stock_move WHERE sku_id = ? LIMIT ?)) counted

-- name: read_audit
-- Sums the append-only rows of a SKU, and its counters.
-- PARAMETERS: sku_id, six times
-- RETURNS: sku_id, number of buckets, total, held, sold, the counters' total, held, sold
-- INVARIANT: one statement, so one snapshot; the same sums as inventory_view, but written out, because
--   through the view some servers would read the rows of all SKUs
SELECT i.sku_id,
  i.buckets,
  r.restocked,
  h.holds + a.holds - m.confirms - a.confirms - m.cancels - a.cancels,
  m.confirms + a.confirms - m.refunds - a.refunds,
  c.total, c.held, c.sold
FROM inventory i
JOIN (
  SELECT CAST(SUM(allotted) AS SIGNED) AS total, CAST(SUM(held) AS SIGNED) AS held,
    CAST(SUM(sold) AS SIGNED) AS sold
  FROM inventory_bucket
  WHERE sku_id = ?) c
JOIN (
  SELECT CAST(COALESCE(SUM(qty), 0) AS SIGNED) AS restocked
  FROM restock_row
  WHERE sku_id = ?) r
JOIN (
  SELECT CAST(COALESCE(SUM(qty), 0) AS SIGNED) AS holds
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id = ?) h
JOIN (
  SELECT
    CAST(COALESCE(SUM(CASE WHEN action = 'CONFIRM' THEN qty ELSE 0 END), 0) AS SIGNED) AS confirms,
    CAST(COALESCE(SUM(CASE WHEN action = 'CANCEL' THEN qty ELSE 0 END), 0) AS SIGNED) AS cancels,
    CAST(COALESCE(SUM(CASE WHEN action = 'REFUND' THEN qty ELSE 0 END), 0) AS SIGNED) AS refunds
  FROM stock_move
  WHERE sku_id = ?) m
JOIN (
  SELECT
    CAST(COALESCE(SUM(CASE WHEN action = 'HOLD' THEN units ELSE 0 END), 0) AS SIGNED) AS holds,
    CAST(COALESCE(SUM(CASE WHEN action = 'CONFIRM' THEN units ELSE 0 END), 0) AS SIGNED) AS confirms,
    CAST(COALESCE(SUM(CASE WHEN action = 'CANCEL' THEN units ELSE 0 END), 0) AS SIGNED) AS cancels,
    CAST(COALESCE(SUM(CASE WHEN action = 'REFUND' THEN units ELSE 0 END), 0) AS SIGNED) AS refunds
  FROM archive_sum
  WHERE sku_id = ?) a
WHERE i.sku_id = ?

-- name: sum_archive
-- Reads what the archived rows of a SKU add up to.
-- PARAMETERS: sku_id, twice
-- RETURNS: how many rows were archived, units held, confirmed, canceled, refunded
-- INVARIANT: one snapshot; while the number stays the same, no row was moved
SELECT c.moved, a.holds, a.confirms, a.cancels, a.refunds
FROM (
  SELECT CAST(COALESCE(SUM(archived), 0) AS SIGNED) AS moved
  FROM inventory_bucket
  WHERE sku_id = ?) c
JOIN (
  SELECT
    CAST(COALESCE(SUM(CASE WHEN action = 'HOLD' THEN units ELSE 0 END), 0) AS SIGNED) AS holds,
    CAST(COALESCE(SUM(CASE WHEN action = 'CONFIRM' THEN units ELSE 0 END), 0) AS SIGNED) AS confirms,
    CAST(COALESCE(SUM(CASE WHEN action = 'CANCEL' THEN units ELSE 0 END), 0) AS SIGNED) AS cancels,
    CAST(COALESCE(SUM(CASE WHEN action = 'REFUND' THEN units ELSE 0 END), 0) AS SIGNED) AS refunds
  FROM archive_sum
  WHERE sku_id = ?) a

-- name: sum_archive_page
-- Sums the ended orders of one epoch of a bucket that are moved now, by action.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq, twice
-- RETURNS: action, rows, units
-- INVARIANT: the bucket is locked; read before they are moved. All moves of an order count: it has ended by the first
SELECT 'HOLD', COUNT(*), CAST(SUM(h.qty) AS SIGNED)
FROM order_hold h FORCE INDEX (PRIMARY)
JOIN stock_move m FORCE INDEX (PRIMARY)
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?
HAVING COUNT(*) > 0
UNION ALL
SELECT action, COUNT(*), CAST(SUM(qty) AS SIGNED)
FROM stock_move FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND bucket = ? AND epoch = ? AND seq > ? AND seq <= ?
GROUP BY action

-- name: sum_holds
-- Sums a slice of a SKU's holds, grouped by bucket and epoch.
-- PARAMETERS: by bucket, the last write that counts; sku_id, bucket after which to begin, the same again, epoch after
--   which to begin, the same again, seq after which to begin, limit
-- RETURNS: bucket, epoch, step, action, rows, units of those that count, the last seq, of each group
-- INVARIANT: in the order of the primary key; at most limit entries are read
SELECT slice.bucket, slice.epoch, 0, 'HOLD', COUNT(*),
  CAST(SUM(
    CASE WHEN slice.write_no <= CAST(ELT(slice.bucket + 1, {list}) AS SIGNED) THEN slice.qty ELSE 0 END) AS SIGNED),
  MAX(slice.seq)
FROM (
  SELECT bucket, epoch, seq, qty, write_no
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
  ORDER BY bucket, epoch, seq
  LIMIT ?) slice
GROUP BY slice.bucket, slice.epoch

-- name: sum_moves
-- Sums a slice of what happened to a SKU's holds, grouped by bucket, epoch, step and action.
-- PARAMETERS: by bucket, the last write that counts; sku_id, bucket after which to begin, the same again, epoch after
--   which to begin, the same again, seq after which to begin, the same again, step after which to begin, limit
-- RETURNS: bucket, epoch, step, action, rows, units of those that count, the last seq, of each group
-- INVARIANT: in the order of the primary key; at most limit entries are read
SELECT slice.bucket, slice.epoch, slice.step, slice.action, COUNT(*),
  CAST(SUM(
    CASE WHEN slice.write_no <= CAST(ELT(slice.bucket + 1, {list}) AS SIGNED) THEN slice.qty ELSE 0 END) AS SIGNED),
  MAX(slice.seq)
FROM (
  SELECT bucket, epoch, seq, step, action, qty, write_no
  FROM stock_move FORCE INDEX (PRIMARY)
  WHERE sku_id = ?
    AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND (seq > ? OR (seq = ? AND step > ?))))))
  ORDER BY bucket, epoch, seq, step
  LIMIT ?) slice
GROUP BY slice.bucket, slice.epoch, slice.step, slice.action

-- name: sum_restocks
-- Sums a slice of a SKU's changes of allotments.
-- PARAMETERS: by bucket, the last write that counts; sku_id, row_token after which to begin, limit
-- RETURNS: rows, units of those that count, the last row_token
-- INVARIANT: in the order of the primary key; at most limit entries are read
SELECT COUNT(*),
  CAST(COALESCE(SUM(
    CASE WHEN slice.write_no <= CAST(ELT(slice.bucket + 1, {list}) AS SIGNED) THEN slice.qty ELSE 0 END), 0) AS SIGNED),
  MAX(slice.row_token)
FROM (
  SELECT bucket, row_token, qty, write_no
  FROM restock_row
  WHERE sku_id = ? AND row_token > ?
  ORDER BY row_token
  LIMIT ?) slice
