-- Copies a page of restocks of format 1.
-- PARAMETERS: last id of the page before, and of the page
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes the page from its table
INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)
SELECT sku_id, order_token, bucket, qty, created_at, 0
FROM stock_txn_v1
WHERE id > ? AND id <= ? AND action = 'RESTOCK'
