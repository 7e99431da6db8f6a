-- Holds of a bucket whose time to pay is over.
-- PARAMETERS: partition_id, pay_before below, sku_id, bucket, limit
-- RETURNS: order_token, user_id, qty, seq, epoch, status, reason, version,
--   pay_before, late_paid_at, created_at, updated_at
-- INVARIANT: read after the bucket is locked, so none of them changes; oldest first, by index
SELECT order_token, user_id, qty, seq, epoch, status, reason, version, pay_before, late_paid_at, created_at, updated_at
FROM orders FORCE INDEX (orders_by_due)
WHERE partition_id = ? AND status = 'PENDING' AND pay_before < ? AND sku_id = ? AND bucket = ?
ORDER BY pay_before
LIMIT ?
