-- Inserts orders that were rejected, and payments that came for such orders.
-- PARAMETERS: sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at,
--   noted_at, reference of the payment, sale_no, cart of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; the bucket counts its rejected orders
INSERT INTO order_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at, noted_at,
  reference, sale_no, cart)
VALUES {rows 16}
