-- Deletes archived orders from where orders are booked.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them; deletes nothing that is not in the archive
DELETE h
FROM order_hold h FORCE INDEX (PRIMARY)
STRAIGHT_JOIN archive_hold a FORCE INDEX (PRIMARY)
  ON a.sku_id = h.sku_id AND a.bucket = h.bucket AND a.epoch = h.epoch AND a.seq = h.seq
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?
