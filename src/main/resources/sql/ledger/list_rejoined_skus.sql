-- Lists those of these SKUs that are in a later sale than their first one.
-- PARAMETERS: sku_id of each
-- RETURNS: sku_id
-- INVARIANT: in id order, so that they are locked in it
SELECT DISTINCT sku_id
FROM inventory_bucket FORCE INDEX (PRIMARY)
WHERE sku_id IN ({list}) AND since_epoch > 0
ORDER BY sku_id
