-- Lists holds of a bucket whose payment deadline, as Redis set it, may be before a time.
-- PARAMETERS: sku_id, bucket, deadline before, limit
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, booked_at,
--   and step, action, reason, created_at of a move, which are null; reference, sale_no;
--   qty, reference of that move, which are null; cart
-- INVARIANT: read after the bucket is locked, so none of them changes; the oldest first. The deadline of one that was
--   booked late was extended by its delay, so the delay is subtracted to get the deadline that Redis set. A hold with more time
--   to pay has not ended, whatever Redis has set
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart
FROM order_hold h FORCE INDEX (PRIMARY)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
LEFT JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token AND n.note_no = 1
WHERE h.sku_id = ? AND h.bucket = ? AND m.step IS NULL AND n.note_no IS NULL AND h.pay_before - (h.booked_at - h.created_at) < ?
ORDER BY h.pay_before - (h.booked_at - h.created_at)
LIMIT ?
