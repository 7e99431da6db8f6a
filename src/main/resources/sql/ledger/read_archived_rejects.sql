-- Reads the archived rejected orders among these, and the payments that came for them.
-- PARAMETERS: sku_id, bucket, order_token of each
-- RETURNS: as read_rejects.sql
-- INVARIANT: as read_archived.sql
SELECT sku_id, bucket, order_token, user_id, qty, seq, epoch, pay_before, created_at, noted_at, step, reason,
  reference, sale_no, cart
FROM archive_reject FORCE INDEX (PRIMARY)
WHERE (sku_id, bucket, order_token) IN ({rows 3})
