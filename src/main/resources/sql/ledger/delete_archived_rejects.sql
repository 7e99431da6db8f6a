-- Deletes archived rejected orders.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM order_reject
WHERE sku_id = ? AND bucket = ? AND order_token <= ? AND sale_no <= ?
