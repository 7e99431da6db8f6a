-- Copies the ended orders of one epoch of a bucket into the archive.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows written
-- INVARIANT: in the transaction that deletes them; the bucket is locked, so none of them changes
INSERT INTO archive_hold (
  sku_id, bucket, epoch, seq, order_token, user_id, partition_id, qty, pay_before, created_at, booked_at,
  reference, sale_no, write_no, cart)
SELECT h.sku_id, h.bucket, h.epoch, h.seq, h.order_token, h.user_id, h.partition_id, h.qty, h.pay_before, h.created_at, h.booked_at,
  h.reference, h.sale_no, h.write_no, h.cart
FROM order_hold h FORCE INDEX (PRIMARY)
JOIN stock_move m FORCE INDEX (PRIMARY)
  ON m.sku_id = h.sku_id AND m.bucket = h.bucket AND m.epoch = h.epoch AND m.seq = h.seq AND m.step = 1
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?
