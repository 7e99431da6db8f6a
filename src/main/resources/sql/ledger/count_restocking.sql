-- Counts the take-backs of a SKU that are under way.
-- PARAMETERS: sku_id
-- RETURNS: restocks
-- INVARIANT: its SKU is locked, so that none begins
SELECT COUNT(*) FROM restock WHERE sku_id = ? AND status = 'WORKING'
