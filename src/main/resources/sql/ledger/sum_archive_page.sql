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
