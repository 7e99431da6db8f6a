-- Lists holds of a bucket whose payment deadline, as Redis set it, may be before a time.
-- PARAMETERS: order_token after which to begin, order_token before which to end, deadline before, limit
-- RETURNS: order_token, user_id, qty, seq, epoch, status, reason, version,
--   pay_before, late_paid_at, created_at, updated_at
-- INVARIANT: read after the bucket is locked, so none of them changes; the oldest first. The deadline of one that was
--   booked late was extended by its delay, so the delay is subtracted to get the deadline that Redis set
SELECT order_token, user_id, qty, seq, epoch, status, reason, version, pay_before, late_paid_at, created_at, updated_at
FROM orders FORCE INDEX (PRIMARY)
WHERE order_token > ? AND order_token < ? AND status = 'PENDING' AND pay_before - (updated_at - created_at) < ?
ORDER BY pay_before - (updated_at - created_at)
LIMIT ?
