-- Reads the rejected orders among these, and the payments that came for them.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason,
--   reference of the payment, sale_no, cart
-- INVARIANT: the step of the rejection is 1, that of the payment 2
SELECT sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason,
  reference, sale_no, cart
FROM order_reject FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
