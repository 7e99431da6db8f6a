-- Counts a slice of what happened to the holds of some SKUs, by interval and action.
-- PARAMETERS: interval in milliseconds; the times from grant to payment at which a further number begins, in milliseconds;
--   sku_ids; limit
-- RETURNS: sku_id, bucket, epoch, sale_no, begin of the interval, action, reason, number of the time between grant and payment,
--   orders, units, first and last created_at, last seq and step as one number: seq * 32768 + step
-- INVARIANT: in the order of the primary key; at most limit entries are read, and their holds
SELECT slice.sku_id, slice.bucket, slice.epoch, h.sale_no, slice.created_at - slice.created_at % ? AS began,
  slice.action, slice.reason,
  CASE WHEN slice.action = 'CONFIRM'
    THEN INTERVAL(slice.created_at - h.created_at, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ELSE 0 END AS waited,
  COUNT(*), CAST(SUM(slice.qty) AS SIGNED), MIN(slice.created_at), MAX(slice.created_at),
  MAX(slice.seq * 32768 + slice.step)
FROM (
  SELECT sku_id, bucket, epoch, seq, step, action, reason, qty, created_at
  FROM stock_move FORCE INDEX (PRIMARY)
  WHERE sku_id IN ({list})
  ORDER BY sku_id, bucket, epoch, seq, step
  LIMIT ?) slice
STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
  ON h.sku_id = slice.sku_id AND h.bucket = slice.bucket AND h.epoch = slice.epoch AND h.seq = slice.seq
GROUP BY slice.sku_id, slice.bucket, slice.epoch, h.sale_no, began, slice.action, slice.reason, waited
