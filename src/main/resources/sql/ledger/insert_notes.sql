-- Inserts what was told of orders beside their status.
-- PARAMETERS: sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before,
--   created_at of each
-- RETURNS: nothing
-- INVARIANT: rows are never changed; the bucket is locked, and counts its notes
INSERT INTO order_note (
  sku_id, bucket, order_token, note_no, kind, epoch, seq, partition_id, reference, qty, pay_before, created_at)
VALUES {rows 12}
