-- Reads what was told of these orders beside their status.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: sku_id, bucket, order_token, kind, reference, qty, pay_before, created_at of each note
-- INVARIANT: those of an order in their order; in a transaction that has locked the buckets, nothing is added until it ends
SELECT sku_id, bucket, order_token, kind, reference, qty, pay_before, created_at
FROM order_note FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
ORDER BY sku_id, bucket, order_token, note_no
