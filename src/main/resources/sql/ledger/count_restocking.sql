-- Counts the take-backs of a SKU that are under way, up to one.
-- PARAMETERS: sku_id
-- RETURNS: restocks
-- INVARIANT: its SKU is locked, so that none begins
SELECT COUNT(*)
FROM (
  SELECT 1 FROM restock FORCE INDEX (restock_by_status)
  WHERE sku_id = ? AND status = 'WORKING'
  LIMIT 1) found
