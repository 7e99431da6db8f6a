-- Copies a page of booked orders of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO order_hold (
  sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at, write_no)
SELECT o.sku_id, o.bucket, o.epoch, o.seq,
  FROM_BASE64(CONCAT(REPLACE(REPLACE(RIGHT(o.order_token, 22), '-', '+'), '_', '/'), '==')),
  o.user_id, o.partition_id, o.qty, o.pay_before, o.created_at, COALESCE(t.created_at, o.updated_at), 0
FROM orders_v1 o
LEFT JOIN stock_txn_v1 t
  ON t.order_token = o.order_token AND t.sku_id = o.sku_id AND t.action = 'HOLD'
WHERE o.order_token > ? AND o.order_token <= ? AND o.status <> 'REJECTED'
