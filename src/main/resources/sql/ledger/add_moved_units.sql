-- Adds what rows of moves sum up to, to the one row of their bucket that takes their place.
-- PARAMETERS: sku_id, row_token, bucket, qty, created_at, write_no of each
-- RETURNS: nothing
-- INVARIANT: in the transaction that deletes them, so that no sum of the ledger changes
INSERT INTO restock_row (sku_id, row_token, bucket, qty, created_at, write_no)
VALUES {rows 6}
ON DUPLICATE KEY UPDATE qty = qty + VALUES(qty), created_at = GREATEST(created_at, VALUES(created_at)),
  write_no = GREATEST(write_no, VALUES(write_no))
