-- Copies what was told of these orders into the archive.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows written
-- INVARIANT: after archive_holds.sql, whose orders these are
INSERT INTO archive_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
  created_at)
SELECT n.sku_id, n.bucket, n.order_token, n.note_no, n.kind, n.epoch, n.seq, n.partition_id, n.reference, n.qty, n.pay_before,
  n.created_at
FROM archive_hold h FORCE INDEX (PRIMARY)
JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?
