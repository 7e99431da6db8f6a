-- Lists a page of SKUs.
-- PARAMETERS: sku_id after which to begin, limit
-- RETURNS: sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
-- INVARIANT: in id order
SELECT sku_id, first_stock, total_stock, buckets, mode, settings, state, thawed_state
FROM inventory
WHERE sku_id > ?
ORDER BY sku_id
LIMIT ?
