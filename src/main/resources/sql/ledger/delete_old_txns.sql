-- Deletes the append-only rows of a page of format 1.
-- PARAMETERS: last order_token of the page before, and of the page
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE t
FROM orders_v1 o
STRAIGHT_JOIN stock_txn_v1 t ON t.order_token = o.order_token AND t.sku_id = o.sku_id
WHERE o.order_token > ? AND o.order_token <= ?
