-- Lists the orders of a buyer in the next slice of all booked orders, and the last order of a full slice.
-- PARAMETERS: user_id; after which to begin: sku_id twice, bucket twice, epoch twice, seq; rows of the slice; user_id; rows of
--   the slice; limit
-- RETURNS: sku_id, bucket, order_token, epoch, seq, sale_no, cart, whether it is the buyer's, its number in the slice; in order
-- INVARIANT: takes no lock; in the order of the primary key. One snapshot: what is booked or moved meanwhile shifts no slice
SELECT h.sku_id, h.bucket, h.order_token, h.epoch, h.seq, h.sale_no, h.cart, h.user_id = ?, numbered.place
FROM (
  SELECT slice.sku_id, slice.bucket, slice.epoch, slice.seq, slice.user_id,
    ROW_NUMBER() OVER (ORDER BY slice.sku_id, slice.bucket, slice.epoch, slice.seq) AS place
  FROM (
    SELECT sku_id, bucket, epoch, seq, user_id
    FROM order_hold FORCE INDEX (PRIMARY)
    WHERE (sku_id > ? OR (sku_id = ? AND (bucket > ? OR (bucket = ? AND (epoch > ? OR (epoch = ? AND seq > ?))))))
    ORDER BY sku_id, bucket, epoch, seq
    LIMIT ?) slice) numbered
STRAIGHT_JOIN order_hold h FORCE INDEX (PRIMARY)
  ON h.sku_id = numbered.sku_id AND h.bucket = numbered.bucket AND h.epoch = numbered.epoch AND h.seq = numbered.seq
WHERE numbered.user_id = ? OR numbered.place = ?
ORDER BY numbered.place
LIMIT ?
