-- Copies the refunds and the late payments of a page of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, write_no)
SELECT o.sku_id, o.bucket, o.epoch, o.seq, 2,
  IF(o.status = 'REFUNDED', 'REFUND', 'LATE'), NULL,
  IF(o.status = 'REFUNDED', COALESCE(t.qty, o.qty), 0),
  IF(o.status = 'REFUNDED', o.updated_at, o.late_paid_at), 0
FROM orders_v1 o
LEFT JOIN stock_txn_v1 t
  ON t.order_token = o.order_token AND t.sku_id = o.sku_id AND t.action = 'REFUND'
WHERE o.order_token > ? AND o.order_token <= ?
  AND (o.status = 'REFUNDED' OR (o.status = 'CANCELED' AND o.late_paid_at IS NOT NULL))
