-- Reads and locks a SKU.
-- PARAMETERS: sku_id
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
-- INVARIANT: every transaction that changes the SKU and its buckets locks the SKU first
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
FROM inventory
WHERE sku_id = ?
FOR UPDATE
