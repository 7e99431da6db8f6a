-- Deletes what happened to archived orders.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows deleted
-- INVARIANT: in the transaction that has copied them
DELETE FROM stock_move
WHERE sku_id = ? AND bucket = ? AND epoch = ? AND seq > ? AND seq <= ?
