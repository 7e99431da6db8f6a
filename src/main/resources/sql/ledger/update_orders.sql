-- Makes the same status change to several orders.
-- PARAMETERS: status, reason, increment of version, late_paid_at, updated_at, order_token of each,
--   status before
-- RETURNS: rows found; must be the number of tokens
-- INVARIANT: compare-and-set on locked rows; the version rises with each change
UPDATE orders FORCE INDEX (PRIMARY)
SET status = ?, reason = ?, version = version + ?, late_paid_at = ?, updated_at = ?
WHERE order_token IN ({list}) AND status = ?
