-- Appends rows to the ledger.
-- PARAMETERS: order_token, sku_id, bucket, qty, action, created_at of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; one per order, SKU and action
INSERT INTO stock_txn (order_token, sku_id, bucket, qty, action, created_at)
VALUES {rows 6}
