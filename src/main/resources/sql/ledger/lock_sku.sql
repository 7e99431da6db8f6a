-- Reads and holds a SKU.
-- PARAMETERS: sku_id
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
-- INVARIANT: taken before the rows of its buckets, by all that change them and the SKU
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
FROM inventory
WHERE sku_id = ?
FOR UPDATE
