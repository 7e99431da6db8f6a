-- Copies what happened to these orders into the archive.
-- PARAMETERS: sku_id, bucket, epoch, seq after which to begin, last seq
-- RETURNS: rows written
-- INVARIANT: as archive_holds.sql; an order that has not ended has no such row
INSERT INTO archive_move (sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no)
SELECT sku_id, bucket, epoch, seq, step, action, reason, qty, created_at, reference, write_no
FROM stock_move FORCE INDEX (PRIMARY)
WHERE sku_id = ? AND bucket = ? AND epoch = ? AND seq > ? AND seq <= ?
