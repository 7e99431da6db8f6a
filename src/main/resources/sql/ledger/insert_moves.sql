-- Inserts what happened to booked orders.
-- PARAMETERS: sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; step 1 ends the hold, and the primary key lets it end once
INSERT INTO stock_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no)
VALUES {rows 11}
