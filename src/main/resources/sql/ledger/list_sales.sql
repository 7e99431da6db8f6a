-- Lists a page of sales.
-- PARAMETERS: sale_id after which to begin, limit
-- RETURNS: sale_id, name, opens_at, closes_at, payment_window, carts, ticket, state, frozen, version, state_version,
--   created_at, and the database's clock in epoch milliseconds
-- INVARIANT: in id order
SELECT sale_id, name, opens_at, closes_at, payment_window, carts, ticket, state, frozen, version, state_version,
  created_at, CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)
FROM sale
WHERE sale_id > ?
ORDER BY sale_id
LIMIT ?
