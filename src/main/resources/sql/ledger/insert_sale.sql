-- Creates a sale.
-- PARAMETERS: sale_id, name, opens_at, closes_at, payment_window, carts, ticket, state, frozen, version, state_version,
--   created_at
-- RETURNS: nothing; a duplicate key if it was inserted concurrently
-- INVARIANT: carts and created_at never change
INSERT INTO sale (
  sale_id, name, opens_at, closes_at, payment_window, carts, ticket, state, frozen, version, state_version, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
