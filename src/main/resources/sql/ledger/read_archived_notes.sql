-- Reads what was told of archived orders beside their status.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_notes.sql
-- INVARIANT: as read_notes.sql
SELECT sku_id, bucket, order_token, kind, reference, qty, pay_before, created_at
FROM archive_note FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
ORDER BY sku_id, bucket, order_token, note_no
