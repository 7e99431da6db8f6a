-- Copies what was told of these rejected orders into the archive.
-- PARAMETERS: sku_id, bucket, last order_token, sale_no
-- RETURNS: rows written
-- INVARIANT: before the orders are deleted, from which their notes are found
INSERT INTO archive_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
  created_at)
SELECT n.sku_id, n.bucket, n.order_token, n.note_no, n.kind, n.epoch, n.seq, n.partition_id, n.reference, n.qty, n.pay_before,
  n.created_at
FROM order_reject r FORCE INDEX (PRIMARY)
JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = r.sku_id AND n.bucket = r.bucket AND n.order_token = r.order_token
WHERE r.sku_id = ? AND r.bucket = ? AND r.order_token <= ? AND r.sale_no <= ? AND r.step = 1
