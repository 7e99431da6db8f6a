-- Lists some SKUs of a sale that can begin to end.
-- PARAMETERS: sale_id, limit
-- RETURNS: sku_id
-- INVARIANT: in id order; leaves out those that have to wait, so that they keep none of the others waiting; without the hint
--   MySQL would read all restocks
SELECT sku_id
FROM inventory FORCE INDEX (inventory_by_sale)
WHERE sale_id = ? AND state IN ('SCHEDULED', 'OPEN', 'CLOSED')
  AND NOT EXISTS (SELECT /*+ NO_SEMIJOIN() */ 1 FROM restock r FORCE INDEX (restock_by_status)
    WHERE r.sku_id = inventory.sku_id AND r.status = 'WORKING')
ORDER BY sku_id
LIMIT ?
