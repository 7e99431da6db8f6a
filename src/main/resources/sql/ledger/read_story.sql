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
