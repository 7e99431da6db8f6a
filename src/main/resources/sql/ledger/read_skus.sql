-- Reads SKUs by id.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
-- INVARIANT: -
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
FROM inventory
WHERE sku_id IN ({list})
