-- Reads a restock.
-- PARAMETERS: sku_id, restock_id
-- RETURNS: qty, status, rounds, unsold
-- INVARIANT: read while its SKU is locked
SELECT qty, status, rounds, unsold
FROM restock
WHERE sku_id = ? AND restock_id = ?
