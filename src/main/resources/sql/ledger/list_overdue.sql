-- Holds of a bucket that Redis may have promised no longer than until then.
-- PARAMETERS: order_token after which to begin, order_token before which to end, promised until below, limit
-- RETURNS: order_token, user_id, qty, seq, epoch, status, reason, version,
--   pay_before, late_paid_at, created_at, updated_at
-- INVARIANT: read after the bucket is locked, so none of them changes; the oldest first. One that was booked late has
--   its whole time from then on, and was promised as much less as it was late
SELECT order_token, user_id, qty, seq, epoch, status, reason, version, pay_before, late_paid_at, created_at, updated_at
FROM orders FORCE INDEX (PRIMARY)
WHERE order_token > ? AND order_token < ? AND status = 'PENDING' AND pay_before - (updated_at - created_at) < ?
ORDER BY pay_before - (updated_at - created_at)
LIMIT ?
