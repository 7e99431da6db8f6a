-- name: delete_incidents
-- Deletes alarms that were raised long ago.
-- PARAMETERS: the time before which, maximum number
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM incident
WHERE first_at < ?
ORDER BY first_at
LIMIT ?

-- name: delete_sale_counts
-- Deletes what was counted in sales long ago.
-- PARAMETERS: the time before which, maximum number
-- RETURNS: rows deleted
-- INVARIANT: -
DELETE FROM sale_count
WHERE began_at < ?
ORDER BY began_at
LIMIT ?

-- name: keep_incidents
-- Keeps the alarms that an instance has raised.
-- PARAMETERS: first_at, instance_id, alarm, last_at, times, text of each
-- RETURNS: nothing
-- INVARIANT: a row that is there stays as it is, so that repeating this changes nothing
INSERT IGNORE INTO incident (first_at, instance_id, alarm, last_at, times, text)
VALUES {rows 6}

-- name: keep_sale_counts
-- Keeps what an instance has counted in sales.
-- PARAMETERS: sale_id, began_at, instance_id, length_ms, counts of each
-- RETURNS: nothing
-- INVARIANT: a row that is there stays as it is, so that repeating this changes nothing
INSERT IGNORE INTO sale_count (sale_id, began_at, instance_id, length_ms, counts)
VALUES {rows 5}

-- name: list_incidents
-- Lists the alarms that were raised in a period.
-- PARAMETERS: its first and last time, limit
-- RETURNS: first_at, instance_id, alarm, last_at, times, text
-- INVARIANT: the first ones, in order
SELECT first_at, instance_id, alarm, last_at, times, text
FROM incident FORCE INDEX (PRIMARY)
WHERE first_at BETWEEN ? AND ?
ORDER BY first_at, instance_id, alarm
LIMIT ?

-- name: list_sale_counts
-- Lists the next rows of what instances have counted in a sale.
-- PARAMETERS: sale_id; after which to begin: began_at twice, instance_id; limit
-- RETURNS: began_at, instance_id, length_ms, counts
-- INVARIANT: in the order of the primary key; looks at no more than limit
SELECT began_at, instance_id, length_ms, counts
FROM sale_count FORCE INDEX (PRIMARY)
WHERE sale_id = ? AND (began_at > ? OR (began_at = ? AND instance_id > ?))
ORDER BY began_at, instance_id
LIMIT ?

-- name: list_sku_holds
-- Lists the next booked orders of a SKU, archived ones included.
-- PARAMETERS: sku_id; after which to begin: bucket twice, epoch twice, seq; limit; all of this again; limit
-- RETURNS: sku_id, bucket, order_token, epoch, seq, cart
-- INVARIANT: in the order of the primary keys; looks at no more than limit of each table. One snapshot, so an order is in one
--   of them
(SELECT sku_id, bucket, order_token, epoch, seq, cart
FROM order_hold FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
ORDER BY bucket, epoch, seq
LIMIT ?)
UNION ALL
(SELECT sku_id, bucket, order_token, epoch, seq, cart
FROM archive_hold FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
ORDER BY bucket, epoch, seq
LIMIT ?)
ORDER BY bucket, epoch, seq
LIMIT ?

-- name: read_story
-- Reads what happened to an order, archived or not.
-- PARAMETERS: sku_id, bucket, order_token, twelve times
-- RETURNS: what, reason, qty, reference, when of each, in order
-- INVARIANT: one snapshot, so an order is here or in the archive; the grant comes first, whatever the clock of
--   Redis shows; of one time, by their numbers
SELECT told.what, told.reason, told.qty, told.reference, told.told_at
FROM (
  SELECT 'GRANTED' AS what, NULL AS reason, qty, reference, created_at AS told_at, 0 AS place
  FROM order_hold FORCE INDEX (order_hold_by_token)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?
  UNION ALL
  SELECT 'BOOKED', NULL, qty, NULL, booked_at, 1
  FROM order_hold FORCE INDEX (order_hold_by_token)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?
  UNION ALL
  SELECT m.action, m.reason, m.qty, m.reference, m.created_at, 1 + m.step
  FROM order_hold h FORCE INDEX (order_hold_by_token)
  JOIN stock_move m FORCE INDEX (PRIMARY)
    ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
  WHERE h.sku_id = ? AND h.bucket = ? AND h.order_token = ?
  UNION ALL
  SELECT kind, NULL, qty, reference, created_at, 1 + note_no
  FROM order_note FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?
  UNION ALL
  SELECT 'GRANTED', NULL, qty, NULL, created_at, 0
  FROM order_reject FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND order_token = ? AND step = 1
  UNION ALL
  SELECT IF(step = 1, 'REJECTED', 'LATE'), reason, qty, reference, noted_at, step
  FROM order_reject FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?
  UNION ALL
  SELECT 'GRANTED', NULL, qty, reference, created_at, 0
  FROM archive_hold FORCE INDEX (archive_hold_by_token)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?
  UNION ALL
  SELECT 'BOOKED', NULL, qty, NULL, booked_at, 1
  FROM archive_hold FORCE INDEX (archive_hold_by_token)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?
  UNION ALL
  SELECT m.action, m.reason, m.qty, m.reference, m.created_at, 1 + m.step
  FROM archive_hold h FORCE INDEX (archive_hold_by_token)
  JOIN archive_move m FORCE INDEX (PRIMARY)
    ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
  WHERE h.sku_id = ? AND h.bucket = ? AND h.order_token = ?
  UNION ALL
  SELECT kind, NULL, qty, reference, created_at, 1 + note_no
  FROM archive_note FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?
  UNION ALL
  SELECT 'GRANTED', NULL, qty, NULL, created_at, 0
  FROM archive_reject FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND order_token = ? AND step = 1
  UNION ALL
  SELECT IF(step = 1, 'REJECTED', 'LATE'), reason, qty, reference, noted_at, step
  FROM archive_reject FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND bucket = ? AND order_token = ?) told
ORDER BY told.place > 0, told.told_at, told.place

-- name: sum_sale
-- Sums up the SKUs of a sale and their buckets, by the stored states of the SKUs.
-- PARAMETERS: sale_id, twice
-- RETURNS: state, SKUs, those of them that do not have the sale's last version, allotted, held, sold
-- INVARIANT: one snapshot; without the units of earlier sales of these SKUs, and with those of this sale of SKUs that have left it
SELECT one.state, COUNT(*), CAST(SUM(one.behind) AS SIGNED), CAST(SUM(one.allotted) AS SIGNED),
  CAST(SUM(one.held) AS SIGNED), CAST(SUM(one.sold) AS SIGNED)
FROM (
  SELECT i.sku_id AS sku_id, i.state AS state, i.sale_version < s.version AS behind, SUM(b.allotted - b.base) AS allotted,
    SUM(b.held) AS held, SUM(b.sold - b.base) AS sold
  FROM sale s
  STRAIGHT_JOIN inventory i FORCE INDEX (inventory_by_sale) ON i.sale_id = s.sale_id
  STRAIGHT_JOIN inventory_bucket b FORCE INDEX (PRIMARY) ON b.sku_id = i.sku_id
  WHERE s.sale_id = ?
  GROUP BY i.sku_id, i.state, i.sale_version < s.version
  UNION ALL
  SELECT e.sku_id, e.state, 0, e.total_stock - e.base, 0, e.sold
  FROM earlier_sale e FORCE INDEX (earlier_sale_by_sale)
  WHERE e.sale_id = ?) AS one
GROUP BY one.state

-- name: sum_sale_holds
-- Counts a slice of the holds of some SKUs, archived ones too, by the interval in which they were granted.
-- PARAMETERS: interval in milliseconds; sku_ids, limit, twice; limit
-- RETURNS: as sum_sale_moves; the last time is that of pay_before
-- INVARIANT: in the order of the primary key; at most limit entries of each table are read. An order that is moved
--   to the archive keeps its place in that order, so slices after each other count it once
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, slice.created_at - slice.created_at % ? AS began,
  'GRANTED', NULL, 0, CAST(SUM(slice.leads) AS SIGNED), COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.pay_before),
  MAX(slice.seq) * 32768
FROM (
  (SELECT sku_id, bucket, epoch, seq, sale_no, qty, created_at, pay_before,
    cart IS NULL OR cart LIKE CONCAT(sku_id, '.%') AS leads
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id IN ({list})
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?)
  UNION ALL
  (SELECT sku_id, bucket, epoch, seq, sale_no, qty, created_at, pay_before,
    cart IS NULL OR cart LIKE CONCAT(sku_id, '.%') AS leads
  FROM archive_hold FORCE INDEX (PRIMARY)
  WHERE sku_id IN ({list})
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?)
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?) slice
GROUP BY slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, began

-- name: sum_sale_moves
-- Counts a slice of what happened to the holds of some SKUs, archived ones too, by interval and action.
-- PARAMETERS: interval in milliseconds; the times from grant to payment at which a further number begins, in milliseconds;
--   sku_ids, limit, twice; limit
-- RETURNS: sku_id, bucket, epoch, sale_no, begin of the interval, action, reason, number of the time between grant and payment,
--   orders (those of several SKUs at their lead, refunds with an id at their line), rows, units, first and last created_at, last seq and step as one number: seq * 32768 + step
-- INVARIANT: in the order of the primary key; at most limit entries of each table are read, and their holds. An order that is moved
--   to the archive keeps its place in that order, so slices after each other count it once
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, slice.created_at - slice.created_at % ? AS began,
  slice.action, slice.reason,
  CASE WHEN slice.action = 'CONFIRM'
    THEN INTERVAL(slice.created_at - slice.granted_at, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ELSE 0 END AS waited,
  CAST(SUM(slice.leads) AS SIGNED), COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.created_at),
  MAX(slice.seq * 32768 + slice.step)
FROM (
  (SELECT m.sku_id, m.bucket, m.epoch, m.seq, m.step, m.action, m.reason, m.qty, m.created_at, h.sale_no,
    h.created_at AS granted_at,
    h.cart IS NULL OR h.cart LIKE CONCAT(h.sku_id, '.%') OR (m.action = 'REFUND' AND m.reference IS NOT NULL) AS leads
  FROM stock_move m FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
    ON h.sku_id = m.sku_id AND h.bucket = m.bucket AND h.epoch = m.epoch AND h.seq = m.seq
  WHERE m.sku_id IN ({list})
  ORDER BY m.sku_id, m.bucket, m.epoch, m.seq, m.step
  LIMIT ?)
  UNION ALL
  (SELECT m.sku_id, m.bucket, m.epoch, m.seq, m.step, m.action, m.reason, m.qty, m.created_at, h.sale_no,
    h.created_at AS granted_at,
    h.cart IS NULL OR h.cart LIKE CONCAT(h.sku_id, '.%') OR (m.action = 'REFUND' AND m.reference IS NOT NULL) AS leads
  FROM archive_move m FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN archive_hold h FORCE INDEX (PRIMARY)
    ON h.sku_id = m.sku_id AND h.bucket = m.bucket AND h.epoch = m.epoch AND h.seq = m.seq
  WHERE m.sku_id IN ({list})
  ORDER BY m.sku_id, m.bucket, m.epoch, m.seq, m.step
  LIMIT ?)
  ORDER BY sku_id, bucket, epoch, seq, step
  LIMIT ?) slice
GROUP BY slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, began, slice.action, slice.reason, waited

-- name: sum_sku_holds
-- Counts a slice of the holds of a SKU, archived ones too, by the interval in which they were granted.
-- PARAMETERS: interval in milliseconds; sku_id, after which to begin: bucket twice, epoch twice, seq, and limit, twice; limit
-- RETURNS: as sum_sale_moves; the last time is that of pay_before
-- INVARIANT: in the order of the primary key; at most limit entries of each table are read. An order that is moved
--   to the archive keeps its place in that order, so slices after each other count it once
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, slice.created_at - slice.created_at % ? AS began,
  'GRANTED', NULL, 0, CAST(SUM(slice.leads) AS SIGNED), COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.pay_before),
  MAX(slice.seq) * 32768
FROM (
  (SELECT sku_id, bucket, epoch, seq, sale_no, qty, created_at, pay_before,
    cart IS NULL OR cart LIKE CONCAT(sku_id, '.%') AS leads
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
  ORDER BY bucket, epoch, seq
  LIMIT ?)
  UNION ALL
  (SELECT sku_id, bucket, epoch, seq, sale_no, qty, created_at, pay_before,
    cart IS NULL OR cart LIKE CONCAT(sku_id, '.%') AS leads
  FROM archive_hold FORCE INDEX (PRIMARY)
  WHERE sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))
  ORDER BY bucket, epoch, seq
  LIMIT ?)
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?) slice
GROUP BY slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, began

-- name: sum_sku_moves
-- Counts a slice of what happened to the holds of a SKU, archived ones too, by interval and action.
-- PARAMETERS: interval in milliseconds; the times from grant to payment at which a further number begins, in milliseconds;
--   sku_id, after which to begin: bucket twice, epoch twice, seq twice, step, and limit, twice; limit
-- RETURNS: sku_id, bucket, epoch, sale_no, begin of the interval, action, reason, number of the time between grant and payment,
--   orders (those of several SKUs at their lead, refunds with an id at their line), rows, units, first and last created_at, last seq and step as one number: seq * 32768 + step
-- INVARIANT: in the order of the primary key; at most limit entries of each table are read, and their holds. An order that is moved
--   to the archive keeps its place in that order, so slices after each other count it once
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, slice.created_at - slice.created_at % ? AS began,
  slice.action, slice.reason,
  CASE WHEN slice.action = 'CONFIRM'
    THEN INTERVAL(slice.created_at - slice.granted_at, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ELSE 0 END AS waited,
  CAST(SUM(slice.leads) AS SIGNED), COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.created_at),
  MAX(slice.seq * 32768 + slice.step)
FROM (
  (SELECT m.sku_id, m.bucket, m.epoch, m.seq, m.step, m.action, m.reason, m.qty, m.created_at, h.sale_no,
    h.created_at AS granted_at,
    h.cart IS NULL OR h.cart LIKE CONCAT(h.sku_id, '.%') OR (m.action = 'REFUND' AND m.reference IS NOT NULL) AS leads
  FROM stock_move m FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
    ON h.sku_id = m.sku_id AND h.bucket = m.bucket AND h.epoch = m.epoch AND h.seq = m.seq
  WHERE m.sku_id = ?
    AND (m.bucket > ? OR (m.bucket = ? AND (m.epoch > ? OR (m.epoch = ? AND (m.seq > ? OR (m.seq = ? AND m.step > ?))))))
  ORDER BY m.bucket, m.epoch, m.seq, m.step
  LIMIT ?)
  UNION ALL
  (SELECT m.sku_id, m.bucket, m.epoch, m.seq, m.step, m.action, m.reason, m.qty, m.created_at, h.sale_no,
    h.created_at AS granted_at,
    h.cart IS NULL OR h.cart LIKE CONCAT(h.sku_id, '.%') OR (m.action = 'REFUND' AND m.reference IS NOT NULL) AS leads
  FROM archive_move m FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN archive_hold h FORCE INDEX (PRIMARY)
    ON h.sku_id = m.sku_id AND h.bucket = m.bucket AND h.epoch = m.epoch AND h.seq = m.seq
  WHERE m.sku_id = ?
    AND (m.bucket > ? OR (m.bucket = ? AND (m.epoch > ? OR (m.epoch = ? AND (m.seq > ? OR (m.seq = ? AND m.step > ?))))))
  ORDER BY m.bucket, m.epoch, m.seq, m.step
  LIMIT ?)
  ORDER BY sku_id, bucket, epoch, seq, step
  LIMIT ?) slice
GROUP BY slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, began, slice.action, slice.reason, waited
