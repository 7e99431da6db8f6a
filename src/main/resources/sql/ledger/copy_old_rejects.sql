-- Copies the rejected orders of a page of format 1, and the payments that came for them.
-- PARAMETERS: last order_token of the page before, and of the page; both twice
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO order_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at, noted_at)
SELECT o.sku_id, o.bucket,
  FROM_BASE64(CONCAT(REPLACE(REPLACE(RIGHT(o.order_token, 22), '-', '+'), '_', '/'), '==')),
  1, o.user_id, o.partition_id, o.qty, o.seq, o.epoch, COALESCE(o.reason, 'UNPROCESSABLE'), o.pay_before, o.created_at,
  IF(o.late_paid_at IS NULL, o.updated_at, o.created_at)
FROM orders_v1 o
WHERE o.order_token > ? AND o.order_token <= ? AND o.status = 'REJECTED'
UNION ALL
SELECT o.sku_id, o.bucket,
  FROM_BASE64(CONCAT(REPLACE(REPLACE(RIGHT(o.order_token, 22), '-', '+'), '_', '/'), '==')),
  2, o.user_id, o.partition_id, o.qty, o.seq, o.epoch, COALESCE(o.reason, 'UNPROCESSABLE'), o.pay_before, o.created_at,
  o.late_paid_at
FROM orders_v1 o
WHERE o.order_token > ? AND o.order_token <= ? AND o.status = 'REJECTED' AND o.late_paid_at IS NOT NULL
