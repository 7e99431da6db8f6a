-- Inserts booked orders, each with the units that it holds.
-- PARAMETERS: sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at,
--   reference, sale_no, write_no, cart of each
-- RETURNS: nothing; a duplicate key where the order exists, or another one has its seq
-- INVARIANT: rows are never changed; a token is booked once, and a seq of an epoch is one order's: its bucket is locked,
--   and the keys reject a duplicate
INSERT INTO order_hold (
  sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at,
  reference, sale_no, write_no, cart)
VALUES {rows 15}
