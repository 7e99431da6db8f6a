-- Inserts changes of allotments.
-- PARAMETERS: sku_id, row_token, bucket, qty, created_at, write_no of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; one per SKU and token
INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)
VALUES {rows 6}
