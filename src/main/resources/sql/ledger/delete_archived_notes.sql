-- Deletes what was told of archived orders.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE n
FROM archive_hold h FORCE INDEX (PRIMARY)
STRAIGHT_JOIN order_note n FORCE INDEX (PRIMARY)
  ON n.sku_id = h.sku_id AND n.bucket = h.bucket AND n.order_token = h.order_token
WHERE h.sku_id = ? AND h.bucket = ? AND h.epoch = ? AND h.seq > ? AND h.seq <= ?
