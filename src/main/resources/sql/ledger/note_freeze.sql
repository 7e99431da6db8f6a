-- Records why a SKU was frozen.
-- PARAMETERS: freeze_reason, sku_id
-- RETURNS: 1 row found
-- INVARIANT: -
UPDATE inventory
SET freeze_reason = ?
WHERE sku_id = ?
