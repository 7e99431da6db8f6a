-- Counts a slice of what happened to the holds of some SKUs, archived ones too, by interval and action.
-- PARAMETERS: interval in milliseconds; the times from grant to payment at which a further number begins, in milliseconds;
--   sku_ids, limit, twice; limit
-- RETURNS: sku_id, bucket, epoch, sale_no, begin of the interval, action, reason, number of the time between grant and payment,
--   orders, units, first and last created_at, last seq and step as one number: seq * 32768 + step
-- INVARIANT: in the order of the primary key; at most limit entries of each table are read, and their holds. An order that is moved
--   to the archive keeps its place in that order, so slices after each other count it once
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, slice.created_at - slice.created_at % ? AS began,
  slice.action, slice.reason,
  CASE WHEN slice.action = 'CONFIRM'
    THEN INTERVAL(slice.created_at - slice.granted_at, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ELSE 0 END AS waited,
  COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.created_at),
  MAX(slice.seq * 32768 + slice.step)
FROM (
  (SELECT m.sku_id, m.bucket, m.epoch, m.seq, m.step, m.action, m.reason, m.qty, m.created_at, h.sale_no,
    h.created_at AS granted_at
  FROM stock_move m FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
    ON h.sku_id = m.sku_id AND h.bucket = m.bucket AND h.epoch = m.epoch AND h.seq = m.seq
  WHERE m.sku_id IN ({list})
  ORDER BY m.sku_id, m.bucket, m.epoch, m.seq, m.step
  LIMIT ?)
  UNION ALL
  (SELECT m.sku_id, m.bucket, m.epoch, m.seq, m.step, m.action, m.reason, m.qty, m.created_at, h.sale_no,
    h.created_at AS granted_at
  FROM archive_move m FORCE INDEX (PRIMARY)
  STRAIGHT_JOIN archive_hold h FORCE INDEX (PRIMARY)
    ON h.sku_id = m.sku_id AND h.bucket = m.bucket AND h.epoch = m.epoch AND h.seq = m.seq
  WHERE m.sku_id IN ({list})
  ORDER BY m.sku_id, m.bucket, m.epoch, m.seq, m.step
  LIMIT ?)
  ORDER BY sku_id, bucket, epoch, seq, step
  LIMIT ?) slice
GROUP BY slice.sku_id, slice.bucket, slice.epoch, slice.sale_no, began, slice.action, slice.reason, waited
