-- Updates the columns of a sale that may change.
-- PARAMETERS: name, opens_at, closes_at, payment_window, ticket, state, frozen, version, state_version, behind, sale_id
-- RETURNS: 1 row found
-- INVARIANT: the version never falls
UPDATE sale
SET name = ?, opens_at = ?, closes_at = ?, payment_window = ?, ticket = ?, state = ?, frozen = ?, version = ?,
  state_version = ?, behind = ?
WHERE sale_id = ?
