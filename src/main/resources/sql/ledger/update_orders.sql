-- Moves orders of one status on, all in the same way.
-- PARAMETERS: status, reason, how much the version rises, late_paid_at, updated_at, order_token of each,
--   status before
-- RETURNS: rows found, to be as many as tokens
-- INVARIANT: compare-and-set on locked rows; the version rises with each change
UPDATE orders FORCE INDEX (PRIMARY)
SET status = ?, reason = ?, version = version + ?, late_paid_at = ?, updated_at = ?
WHERE order_token IN ({list}) AND status = ?
