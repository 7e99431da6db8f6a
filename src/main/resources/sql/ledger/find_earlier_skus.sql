-- Finds those of these SKUs that were in a sale, and have left it.
-- PARAMETERS: sale_id, sku_id of each
-- RETURNS: sku_id
-- INVARIANT: these SKUs are locked, so that none leaves it
SELECT sku_id
FROM earlier_sale FORCE INDEX (earlier_sale_by_sale)
WHERE sale_id = ? AND sku_id IN ({list})
