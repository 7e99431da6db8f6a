-- Reads the booked orders among these, what happened to each, and whether anything else was told of it.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_orders.sql; whether there are notes
-- INVARIANT: one snapshot of all of it
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart, n.note_no IS NOT NULL
FROM order_hold h FORCE INDEX (order_hold_by_token)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
LEFT JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token AND n.note_no = 1
WHERE (h.sku_id, h.bucket, h.order_token) IN ({rows 3})
