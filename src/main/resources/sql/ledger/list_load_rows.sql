-- Lists a page of the booked orders of a bucket, ended ones included.
-- PARAMETERS: sku_id, bucket, epoch after which to begin, the same again, seq after which to begin, limit
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, booked_at,
--   action that ended the hold, units that were refunded (of a confirmed order; looked for only there), reference, sale_no, cart
-- INVARIANT: in the order of the primary key
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.action,
  CASE WHEN m.action = 'CONFIRM' THEN
    (SELECT CAST(COALESCE(SUM(r.qty), 0) AS SIGNED) FROM stock_move r FORCE INDEX (PRIMARY)
     WHERE r.sku_id = h.sku_id AND r.bucket = h.bucket AND r.epoch = h.epoch AND r.seq = h.seq AND r.action = 'REFUND')
  ELSE 0 END,
  h.reference, h.sale_no, h.cart
FROM order_hold h FORCE INDEX (PRIMARY)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
WHERE h.sku_id = ? AND h.bucket = ? AND (h.epoch > ? OR (h.epoch = ? AND h.seq > ?))
ORDER BY h.epoch, h.seq
LIMIT ?
