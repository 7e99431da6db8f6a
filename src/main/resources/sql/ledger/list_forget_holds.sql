-- Lists the orders of a buyer in the next slice of all booked orders.
-- PARAMETERS: after which to begin: sku_id twice, bucket twice, epoch twice, seq; rows of the slice; user_id
-- RETURNS: sku_id, bucket, epoch, seq, whether the order and its sale have ended
-- INVARIANT: takes no lock; in the order of the primary key
SELECT slice.sku_id, slice.bucket, slice.epoch, slice.seq,
  m.step IS NOT NULL AND (i.state IN ('ENDED', 'ARCHIVED') OR slice.sale_no < i.sale_no)
FROM (
  SELECT sku_id, bucket, epoch, seq, user_id, sale_no
  FROM order_hold FORCE INDEX (PRIMARY)
  WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))
  ORDER BY sku_id, bucket, epoch, seq
  LIMIT ?) slice
JOIN inventory i ON i.sku_id = slice.sku_id
LEFT JOIN stock_move m FORCE INDEX (PRIMARY)
  ON m.sku_id = slice.sku_id AND m.bucket = slice.bucket AND m.epoch = slice.epoch AND m.seq = slice.seq AND m.step = 1
WHERE slice.user_id = ?
