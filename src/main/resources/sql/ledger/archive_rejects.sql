-- Copies rejected orders of a bucket into the archive.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes them; the bucket is locked
INSERT INTO archive_reject (
  sku_id, bucket, order_token, step, user_id, partition_id, qty, seq, epoch, reason, pay_before, created_at,
  noted_at, reference, sale_no, cart)
SELECT r.sku_id, r.bucket, r.order_token, r.step, r.user_id, r.partition_id, r.qty, r.seq, r.epoch, r.reason, r.pay_before, r.created_at,
  r.noted_at, r.reference, r.sale_no, r.cart
FROM order_reject r FORCE INDEX (PRIMARY)
WHERE r.sku_id = ? AND r.bucket = ? AND r.order_token <= ? AND r.sale_no <= ?
