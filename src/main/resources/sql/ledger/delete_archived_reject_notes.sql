-- Deletes what was told of archived rejected orders.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them, before the orders are deleted
DELETE n
FROM order_reject r FORCE INDEX (PRIMARY)
STRAIGHT_JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token
WHERE r.sku_id = ? AND r.bucket = ? AND r.order_token <= ? AND r.sale_no <= ? AND r.step = 1
