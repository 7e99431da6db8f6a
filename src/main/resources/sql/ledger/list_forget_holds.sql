-- Lists the orders of a buyer in the next slice of all booked orders, and the last order of a full slice.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, epoch twice, seq; rows of the slice; user_id; rows of
--   the slice
-- RETURNS: sku_id, bucket, epoch, seq, whether the order and its sale have ended, whether it is the buyer's, its number in the
--   slice
-- INVARIANT: takes no lock; in the order of the primary key. One snapshot: what is booked or moved meanwhile shifts no slice
SELECT numbered.sku_id, numbered.bucket, numbered.epoch, numbered.seq,
  m.step IS NOT NULL AND (i.state IN ('ENDED', 'ARCHIVED') OR numbered.sale_no < i.sale_no),
  numbered.user_id = ?,
  numbered.place
FROM (
  SELECT slice.sku_id, slice.bucket, slice.epoch, slice.seq, slice.user_id, slice.sale_no,
    ROW_NUMBER() OVER (ORDER BY slice.sku_id, slice.bucket, slice.epoch, slice.seq) AS place
  FROM (
    SELECT sku_id, bucket, epoch, seq, user_id, sale_no
    FROM order_hold FORCE INDEX (PRIMARY)
    WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))
    ORDER BY sku_id, bucket, epoch, seq
    LIMIT ?) slice) numbered
JOIN inventory i ON i.sku_id = numbered.sku_id
LEFT JOIN stock_move m FORCE INDEX (PRIMARY)
  ON m.sku_id = numbered.sku_id AND m.bucket = numbered.bucket AND m.epoch = numbered.epoch AND m.seq = numbered.seq
    AND m.step = 1
WHERE numbered.user_id = ? OR numbered.place = ?
