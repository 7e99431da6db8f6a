-- Copies how the holds of a page of format 1 have ended.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, write_no)
SELECT o.sku_id, o.bucket, o.epoch, o.seq, 1,
  IF(o.status = 'CANCELED', 'CANCEL', 'CONFIRM'),
  IF(o.status = 'CANCELED', o.reason, NULL),
  COALESCE(t.qty, o.qty), COALESCE(t.created_at, o.updated_at), 0
FROM orders_v1 o
LEFT JOIN stock_txn_v1 t
  ON t.order_token = o.order_token AND t.sku_id = o.sku_id
    AND t.action = IF(o.status = 'CANCELED', 'CANCEL', 'CONFIRM')
WHERE o.order_token > ? AND o.order_token <= ? AND o.status IN ('CONFIRMED', 'CANCELED', 'REFUNDED')
