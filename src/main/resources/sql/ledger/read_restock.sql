-- What is recorded of a restock.
-- PARAMETERS: sku_id, restock_id
-- RETURNS: qty, status, rounds, unsold
-- INVARIANT: read under the lock of its SKU
SELECT qty, status, rounds, unsold
FROM restock
WHERE sku_id = ? AND restock_id = ?
