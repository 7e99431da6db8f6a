-- Reads the archived orders among these, and what happened to each.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_orders.sql
-- INVARIANT: orders only move into the archive, so one that is looked for here after order_hold is not missed
SELECT h.sku_id, h.bucket, h.order_token, h.user_id, h.qty, h.seq, h.epoch, h.pay_before, h.created_at, h.booked_at,
  m.step, m.action, m.reason, m.created_at, h.reference, h.sale_no, m.qty, m.reference, h.cart
FROM archive_hold h FORCE INDEX (archive_hold_by_token)
LEFT JOIN archive_move m
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq
WHERE (h.sku_id, h.bucket, h.order_token) IN ({rows 3})
