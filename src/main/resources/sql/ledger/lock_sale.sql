-- Reads and locks a sale.
-- PARAMETERS: sale_id
-- RETURNS: sale_id, name, opens_at, closes_at, payment_window, carts, ticket, state, frozen, version, state_version,
--   created_at, and 0
-- INVARIANT: every transaction that changes a sale, or adds SKUs to it, locks it first, and its SKUs after it
SELECT sale_id, name, opens_at, closes_at, payment_window, carts, ticket, state, frozen, version, state_version,
  created_at, 0
FROM sale
WHERE sale_id = ?
FOR UPDATE
