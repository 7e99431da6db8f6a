-- Lists a page of the booked orders of a bucket, ended ones included.
-- PARAMETERS: sku_id, bucket, epoch after which to begin, the same again, seq after which to begin, limit
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, booked_at,
--   action that ended the hold, action after that, reference, sale_no
-- INVARIANT: in the order of the primary key
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.action, later.action, h.reference, h.sale_no
FROM order_hold h FORCE INDEX (PRIMARY)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
LEFT JOIN stock_move later
  ON later.sku_id = h.sku_id AND later.bucket = h.bucket AND later.epoch = h.epoch AND later.seq = h.seq AND later.step = 2
WHERE h.sku_id = ? AND h.bucket = ? AND (h.epoch > ? OR (h.epoch = ? AND h.seq > ?))
ORDER BY h.epoch, h.seq
LIMIT ?
