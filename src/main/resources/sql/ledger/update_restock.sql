-- Updates the state of a restock.
-- PARAMETERS: status, rounds, unsold, sku_id, restock_id
-- RETURNS: 1 row found
-- INVARIANT: DONE and REFUSED are final
UPDATE restock
SET status = ?, rounds = ?, unsold = ?
WHERE sku_id = ? AND restock_id = ? AND status = 'WORKING'
