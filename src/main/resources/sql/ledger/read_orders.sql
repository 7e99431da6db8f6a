-- Reads the booked orders among these, and what happened to each.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, booked_at,
--   and step, action, reason, created_at of a move: a row for each move, or one with nulls; reference, sale_no;
--   qty, reference of that move; cart
-- INVARIANT: in a transaction that has locked the buckets, nothing about these orders changes until it ends
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart
FROM order_hold h FORCE INDEX (order_hold_by_token)
LEFT JOIN stock_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
WHERE (h.sku_id, h.bucket, h.order_token) IN ({rows 3})
