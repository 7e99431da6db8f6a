-- Counts the buckets of a SKU that have not ended.
-- PARAMETERS: sku_id
-- RETURNS: buckets
-- INVARIANT: its SKU is locked
SELECT COUNT(*) FROM inventory_bucket WHERE sku_id = ? AND ended = 0
