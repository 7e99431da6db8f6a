-- Inserts booked orders.
-- PARAMETERS: order_token, user_id, sku_id, bucket, partition_id, qty, seq, epoch, status, reason,
--   version, pay_before, late_paid_at, created_at, updated_at of each
-- RETURNS: nothing
-- INVARIANT: a token is booked once: its bucket is locked, and the primary key rejects a duplicate
INSERT INTO orders (
  order_token, user_id, sku_id, bucket, partition_id, qty, seq, epoch, status, reason, version,
  pay_before, late_paid_at, created_at, updated_at)
VALUES {rows 15}
