-- Reads the orders that exist among these, as committed.
-- PARAMETERS: order_token of each
-- RETURNS: order_token, user_id, qty, seq, epoch, status, reason, version,
--   pay_before, late_paid_at, created_at, updated_at
-- INVARIANT: -
SELECT order_token, user_id, qty, seq, epoch, status, reason, version, pay_before, late_paid_at, created_at, updated_at
FROM orders FORCE INDEX (PRIMARY)
WHERE order_token IN ({list})
