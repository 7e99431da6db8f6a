-- Lists the next booked orders of a bucket, and which of them have ended.
-- PARAMETERS: sku_id, bucket; after which to begin: epoch twice, seq; limit
-- RETURNS: epoch, seq, sale_no, whether it has ended
-- INVARIANT: in the order of the primary key; the bucket is locked
SELECT h.epoch, h.seq, h.sale_no, m.step IS NOT NULL
FROM order_hold h FORCE INDEX (PRIMARY)
LEFT JOIN stock_move m FORCE INDEX (PRIMARY)
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
WHERE h.sku_id = ? AND h.bucket = ? AND (h.epoch > ? OR (h.epoch = ? AND h.seq > ?))
ORDER BY h.epoch, h.seq
LIMIT ?
